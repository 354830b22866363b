package dispatch

import (
	"context"

	"duet/internal/drive"
)

// Labels are the refs of the page's controls, for a picture that shows them, at most
// most of them. An element that has none gets one; what a ref stands for stays as its
// holder was last shown it.
func (c *call) Labels(ctx context.Context, most int) ([]drive.Label, error) {
	tree, err := c.tab.Tree(ctx, drive.TreeOptions{})
	if err != nil {
		return nil, err
	}
	ledger := c.session.ledger
	if c.session.anew(c.tab, tree.Epoch) {
		ledger.Leave(tree, c.tab.Shows)
	}
	var out []drive.Label
	for _, m := range drive.Controls(tree, most) {
		ref := ledger.Known(m.Key)
		if ref == "" {
			ref = ledger.Ref(m.Key, m.Stamp)
		}
		out = append(out, drive.Label{Key: m.Key, Ref: ref})
	}
	return out, nil
}

// Image is a picture that travels in the answer itself.
type Image struct {
	Type string // MIME type
	Data []byte
}

// Imager is a result that brings a picture along; nil is none.
type Imager interface{ Image() *Image }

// ImageBytes is how large a picture in an answer may be, so that the answer keeps its bound.
func (c *call) ImageBytes() int { return max(0, (c.session.o.Limits.MaxResponse-4096)/4*3) }

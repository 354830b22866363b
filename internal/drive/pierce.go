package drive

import (
	"context"
	"time"

	"duet/bidi"
	"duet/internal/pagejs"
)

// Bounds of looking for closed shadow roots: how many elements are asked about at
// once, in the first look at a document and in each later one, and how deep closed
// roots in closed roots are followed. Each element costs about 300 bytes of an
// answer; what is left out has its turn with the next look.
const (
	pierceMany   = 2000
	pierceFew    = 400
	pierceRounds = 8
	// pierceBound is how long the frames may take to answer, all together: one that
	// hangs costs the reading that follows its own share of time.
	pierceBound = 500 * time.Millisecond
)

// pierce makes the closed shadow roots of documents known to the page library, where
// that is asked for: before the documents are read or searched. No script sees a
// closed root, but the protocol serializes one with its host. A frame that does not
// answer keeps those that are known of it; the first document must answer.
func (t *Tab) pierce(ctx context.Context, order []bidi.Context) error {
	if !t.b.info.PierceClosed {
		return nil
	}
	type call = pageCall[pagejs.PierceArgs, []any]
	var depth bidi.Depth
	how := &bidi.ScriptSerializationOptions{MaxDomDepth: &depth, IncludeShadowTree: "all"}
	ask := func(c bidi.Context, roots []bidi.SharedID) *call {
		args := pagejs.Pierce.Args(pagejs.PierceArgs{Few: pierceFew, Many: pierceMany})
		asked := &call{t: t, frame: c, fn: pagejs.Pierce, args: args, roots: roots, how: how}
		asked.send(pagejs.Pierce.Source())
		return asked
	}
	asked := make(map[bidi.Context]*call, len(order))
	for _, c := range order {
		asked[c] = ask(c, nil)
	}
	var late patience
	for range pierceRounds {
		next := make(map[bidi.Context]*call)
		for i, c := range order {
			if asked[c] == nil {
				continue
			}
			if i > 0 && late.until.IsZero() {
				late.until = time.Now().Add(pierceBound)
			}
			v, err := answered(ctx, asked[c], i > 0, &late)
			if err != nil && i == 0 {
				return err
			}
			if roots := closedRoots(v); err == nil && len(roots) > 0 {
				next[c] = ask(c, roots)
			}
		}
		if len(next) == 0 {
			break
		}
		asked = next
	}
	return nil
}

// answered is patient for an answer that is no JSON.
func answered[A, R any](ctx context.Context, c *pageCall[A, R], frame bool, late *patience) (bidi.ScriptRemoteValue, error) {
	if !frame {
		return c.answer(ctx)
	}
	bound, stop := late.bound(ctx)
	defer stop()
	return c.answer(bound)
}

// closedRoots are the closed shadow roots of the elements in a list.
func closedRoots(v bidi.ScriptRemoteValue) []bidi.SharedID {
	hosts, _ := v.AsList()
	var roots []bidi.SharedID
	for _, h := range hosts {
		n, ok := h.AsNode()
		if !ok || n.Value == nil || n.Value.ShadowRoot == nil {
			continue
		}
		if root := n.Value.ShadowRoot; root.Value != nil && root.Value.Mode == "closed" && root.SharedID != "" {
			roots = append(roots, root.SharedID)
		}
	}
	return roots
}

package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/fault"
)

type uploadArgs struct {
	Selector  string   `json:"selector" arg:"" maxlen:"8192" cli:"Ref such as e7, or selector."`
	Files     []string `json:"files" arg:"" max:"10" maxlen:"4096" none:"clear" help:"Paths in the project or artifact directory; none empties the input."`
	TimeoutMS *int     `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type uploaded struct {
	OK       bool   `json:"ok"`
	Selector string `json:"selector"`
	Files    int    `json:"files"`
	Matches  int    `json:"matches,omitzero"`
	Held     *int   `json:"held,omitzero"` // read back, where it is another number: the page has taken them already
}

var _ = declare(dispatch.Spec{
	Verb:    "upload",
	Tool:    "browser_upload",
	Title:   "Upload",
	Summary: "Set the files of a file input.",
	Detail:  "A button or link that opens the file chooser is pressed, and what asks for files gets them. Paths are never echoed. Files come from the project's directory, the artifact directory (an artifact by its name) and what --upload-root adds. Without files the input is emptied, which is read back.",
	Example: "upload '#photo' photo.png",
	Codes:   withMouse.and(fault.NotEditable, fault.ExpectMismatch, fault.EffectUnknown),
}, runUpload)

func runUpload(ctx context.Context, c *dispatch.Act, a uploadArgs) (uploaded, error) {
	el, err := c.Tab().Element(ctx, a.Selector)
	if err != nil {
		return uploaded{}, err
	}
	var paths []string
	for _, name := range a.Files {
		path, err := c.UploadPath(name)
		if err != nil {
			return uploaded{}, err
		}
		paths = append(paths, path)
	}
	r, err := el.Upload(ctx, paths)
	return uploaded{true, a.Selector, r.Files, severalOf(r.Matches), r.Held}, err
}

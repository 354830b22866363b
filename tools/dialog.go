package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type dialogArgs struct {
	Action    string  `json:"action" arg:"" enum:"inspect,accept,dismiss" cli:"What to do with it."`
	Text      *string `json:"text,omitzero" arg:"" maxlen:"65536" help:"For prompts."`
	TimeoutMS *int    `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type dialogState struct {
	OK      bool   `json:"ok,omitzero"` // it was answered
	Open    *bool  `json:"open,omitzero"`
	Type    string `json:"type,omitzero"`
	Message string `json:"message,omitzero"`
	Default string `json:"default,omitzero"`
	Tab     int    `json:"tab,omitzero"`
	Press   string `json:"press,omitzero"` // what a press that it held up then hit: arrived, or taken by what
}

var _ = declareSplit(dispatch.Spec{
	Verb:    "dialog",
	Tool:    "browser_dialog",
	Title:   "Dialog",
	Summary: "The page's open dialog.",
	Detail:  "alert, confirm, prompt and beforeunload dialogs stay open until they are answered; commands that need the page fail with DIALOG_OPEN meanwhile.",
	Example: "dialog accept",
	Profile: dispatch.Core,
	Codes:   failing(fault.NoDialog, fault.InvalidArgument, fault.Timeout),
}, "action", []string{"inspect"}, runDialogInspect, runDialog)

func runDialogInspect(ctx context.Context, c *dispatch.Read, a dialogArgs) (dialogState, error) {
	d := openDialog(c.Browser().Dialogs(), c.Tab().Number())
	open := d != nil
	if !open {
		return dialogState{Open: &open}, nil
	}
	return dialogState{Open: &open, Type: d.Type, Message: d.Message, Default: d.Default, Tab: d.Tab}, nil
}

func runDialog(ctx context.Context, c *dispatch.Act, a dialogArgs) (dialogState, error) {
	accept := a.Action == "accept"
	if !accept && a.Text != nil {
		return dialogState{}, fault.New(fault.InvalidArgument, "%s goes with accept", fault.Arg("text"))
	}
	tab := c.Tab()
	if d := openDialog(dispatch.OpenDialogs(c.Browser(), c.Hidden), tab.Number()); d != nil && d.Tab != tab.Number() {
		other, err := c.Browser().ByNumber(d.Tab)
		if err != nil {
			return dialogState{}, err
		}
		tab = other
	}
	d, facts, err := tab.AnswerDialog(ctx, accept, a.Text)
	if err != nil {
		return dialogState{}, err
	}
	return dialogState{OK: true, Type: d.Type, Message: d.Message, Tab: d.Tab, Press: facts.Press}, nil
}

// openDialog returns the open dialog of a tab, or else that of another one.
func openDialog(open []drive.Dialog, tab int) *drive.Dialog {
	var other *drive.Dialog
	for _, d := range open {
		if d.Tab == tab {
			return &d
		}
		if other == nil {
			other = &d
		}
	}
	return other
}

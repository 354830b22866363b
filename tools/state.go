package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type stateArgs struct {
	Action    string `json:"action,omitzero" arg:"" enum:"list,save,load,delete" default:"list"`
	Name      string `json:"name,omitzero" arg:"" maxlen:"64" cli:"What it is saved as."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

// states is what a call answers: counts, and never what is kept or under which key.
type states struct {
	OK        bool          `json:"ok"`
	Name      string        `json:"name,omitzero"`
	State     *drive.Stored `json:"state,omitzero"`
	Encrypted bool          `json:"encrypted,omitzero"`
	States    any           `json:"states,omitzero"` // the saved ones
	Total     int           `json:"total,omitzero"`  // of them, where some are not listed
}

// mostStates is how many saved states are listed.
const mostStates = 100

var _ = declareSplit(dispatch.Spec{
	Verb:    "state",
	Tool:    "browser_state",
	Title:   "State",
	Summary: "Cookies and storage.",
	Detail: "Saved are all cookies, and the local storage, databases and session storage of every origin that the session has shown, in frames too. " +
		"load replaces the cookies and the storage of the origins in the file and leaves open pages as they are: navigate or reload next. " +
		"Session storage belongs to a tab: load puts it into a new one, which is active then. " +
		"The file is storageState JSON, encrypted where DUET_STATE_PASSPHRASE, DUET_STATE_RECIPIENTS or DUET_STATE_IDENTITY name a key's file. Only counts are printed.",
	Example:     "state save login",
	IdleFor:     []string{"list", "delete"},
	Destructive: true,
	Codes:       onPage.and(fault.InvalidArgument, fault.StateInvalid, fault.PartialEffect, fault.Quota),
}, "action", []string{"list"}, runStateList, runState)

func runStateList(_ context.Context, c *dispatch.Read, a stateArgs) (states, error) {
	if a.Name != "" {
		return states{}, fault.New(fault.InvalidArgument, "list takes no %s", fault.Arg("name"))
	}
	all, err := c.States().List()
	if err != nil {
		return states{}, err
	}
	out := states{OK: true, States: all[:min(len(all), mostStates)]}
	if len(all) > mostStates {
		out.Total = len(all)
	}
	return out, nil
}

func runState(ctx context.Context, c *dispatch.Act, a stateArgs) (states, error) {
	if a.Name == "" {
		return states{}, fault.New(fault.InvalidArgument, "%s needs %s", a.Action, fault.Arg("name"))
	}
	out := states{OK: true, Name: a.Name}
	switch a.Action {
	case "delete":
		return out, c.States().Delete(a.Name)
	case "save":
		if err := c.States().Check(a.Name); err != nil {
			return states{}, err
		}
		s, n, err := c.Browser().SaveState(ctx)
		if err != nil {
			return states{}, err
		}
		if n.Cookies+n.Origins == 0 {
			return states{}, fault.New(fault.StateInvalid, "there is nothing to save: no cookies, and no storage of a page that was shown").
				WithHint("a state of that name stays as it was")
		}
		text, err := s.JSON()
		if err != nil {
			return states{}, err
		}
		out.State = &n
		out.Encrypted, err = c.States().Write(a.Name, text)
		return out, err
	}
	text, err := c.States().Read(a.Name)
	if err != nil {
		return states{}, err
	}
	s, err := drive.ParseState(text)
	if err != nil {
		return states{}, err
	}
	n, err := c.Browser().LoadState(ctx, s)
	out.State = &n
	return out, err
}

package tools

import (
	"context"
	"strconv"
	"strings"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type pageArgs struct {
	Action    string `json:"action" arg:"" enum:"list,open,select,close"`
	Target    string `json:"target,omitzero" arg:"" maxlen:"2048" help:"Tab number; default active."`
	URL       string `json:"url,omitzero" maxlen:"32768" help:"For open."`
	Leave     bool   `json:"leave,omitzero" help:"Even if the page asks to stay."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type pageTab struct {
	Tab    int    `json:"tab"`
	URL    string `json:"url"`
	Title  string `json:"title,omitzero"`
	Active bool   `json:"active,omitzero"`
	Opener int    `json:"opener,omitzero"`
	Dialog string `json:"dialog,omitzero"`
}

type pages struct {
	OK   bool      `json:"ok"`
	Tab  int       `json:"tab,omitzero"` // active now
	URL  string    `json:"url,omitzero"`
	Tabs []pageTab `json:"tabs,omitzero"`
}

var _ = declareSplit(dispatch.Spec{
	Verb: "page",
	Verbs: []dispatch.Verb{
		{Name: "tabs", Aliases: []string{"pages"}, Summary: "List the tabs.", Preset: map[string]string{"action": "list"}, Drop: []string{"target", "url", "leave", "timeout_ms"}},
	},
	Tool:    "browser_page",
	Title:   "Tabs",
	Summary: "List, open, select or close tabs.",
	Detail:  "Tab numbers are never reused. Closing the last tab leaves an empty one.",
	Example: "page open https://example.com",
	Profile: dispatch.Core,
	Fresh:   true,
}, "action", []string{"list"}, runPageList, runPage)

func runPageList(ctx context.Context, c *dispatch.Read, a pageArgs) (pages, error) {
	return tabsOf(c.Browser().Tabs(), c.Hidden), nil
}

func runPage(ctx context.Context, c *dispatch.Act, a pageArgs) (pages, error) {
	b := c.Browser()
	switch a.Action {
	case "open":
		return openPage(ctx, b, a)
	case "select":
		n, err := tabNumber(a.Target)
		if err != nil {
			return pages{}, err
		}
		t, err := b.Select(ctx, n)
		if err != nil {
			return pages{}, err
		}
		return pages{OK: true, Tab: t.Number(), URL: dispatch.Address(t.URL())}, nil
	}
	n := c.Tab().Number()
	if a.Target != "" {
		var err error
		if n, err = tabNumber(a.Target); err != nil {
			return pages{}, err
		}
	}
	facts, err := b.CloseTab(ctx, n, a.Leave)
	if err != nil {
		return pages{}, err
	}
	out := tabsOf(b.Tabs(), c.Hidden)
	out.OK = facts.Dialog == nil // the page asks to stay
	return out, nil
}

func openPage(ctx context.Context, b *drive.Browser, a pageArgs) (pages, error) {
	address := a.URL
	if a.Target != "" {
		if address != "" {
			return pages{}, fault.New(fault.InvalidArgument, "open takes one address: target or url")
		}
		address = a.Target // duet page open URL
	}
	if address != "" {
		if err := drive.MayOpen(ctx, address); err != nil {
			return pages{}, err // before there is a tab for it
		}
	}
	t, err := b.Open(ctx)
	if err != nil {
		return pages{}, err
	}
	if address == "" {
		return pages{OK: true, Tab: t.Number(), URL: dispatch.Address(t.URL())}, nil
	}
	r, err := t.Navigate(ctx, address, drive.NavOptions{})
	if err != nil {
		return pages{}, fault.From(err).After() // the tab is open
	}
	return pages{OK: true, Tab: t.Number(), URL: dispatch.Address(r.URL)}, nil
}

// tabsOf lists tabs; a page that the caller may not look at shows no title.
func tabsOf(tabs []drive.TabInfo, hidden func(address string) bool) pages {
	out := pages{OK: true}
	for _, t := range tabs {
		tab := pageTab{Tab: t.Tab, URL: dispatch.Address(t.URL), Title: t.Title, Active: t.Active, Opener: t.Opener}
		if hidden(t.URL) {
			tab.Title = ""
		}
		if t.Dialog != nil {
			tab.Dialog = t.Dialog.Type
		}
		if t.Active {
			out.Tab = t.Tab
		}
		out.Tabs = append(out.Tabs, tab)
	}
	return out
}

// tabNumber reads a target: 3, or "tab 3" as answers print it.
func tabNumber(target string) (int, error) {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(target), "tab "))
	if err != nil || n < 1 {
		return 0, fault.New(fault.InvalidArgument, "target is a tab's number").WithHint("list the tabs first")
	}
	return n, nil
}

package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/lazyregexp"
)

type pageArgs struct {
	Action    string   `json:"action" arg:"" enum:"list,open,select,close,viewport,emulate,pdf"`
	Target    string   `json:"target,omitzero" arg:"" maxlen:"2048" help:"Tab or WxH." cli:"A tab's number; for viewport WIDTHxHEIGHT; for open an address."`
	Set       []string `json:"set,omitzero" arg:"" maxlen:"8192" help:"name=value" cli:"name=value, repeated: what emulate sets, or how pdf prints."`
	URL       string   `json:"url,omitzero" maxlen:"32768" cli:"For open: the address."`
	Leave     bool     `json:"leave,omitzero" cli:"For close: even if the page asks to stay."`
	TimeoutMS *int     `json:"timeout_ms,omitzero" min:"0" max:"300000"`
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
	OK      bool              `json:"ok"`
	Outcome string            `json:"outcome,omitzero"` // dialog: the page asks to stay, and its tab is there until that is answered
	Tab     int               `json:"tab,omitzero"`     // active now
	URL     string            `json:"url,omitzero"`
	Tabs    []pageTab         `json:"tabs,omitzero"`
	Seen    map[string]string `json:"seen,omitzero"` // what the page is told now, by what was set
	*dispatch.File
	Pages   int `json:"pages,omitzero"`   // of the file
	Blanked int `json:"blanked,omitzero"` // fields with secrets that are blank in it
}

var _ = declareSplit(dispatch.Spec{
	Verb: "page",
	Verbs: []dispatch.Verb{
		{Name: "tabs", Aliases: []string{"pages"}, Detail: tabsDetail, Summary: "List the tabs.", Preset: map[string]string{"action": "list"}, Drop: []string{"target", "set", "url", "leave", "timeout_ms"}},
		{Name: "viewport", Detail: viewportDetail, Summary: "Set the size of the viewport, or a device's.", Example: "viewport 390x844", Preset: map[string]string{"action": "viewport"}, Args: []string{"target"}, Drop: []string{"set", "url", "leave"}},
		{Name: "emulate", Detail: emulateDetail, Summary: "Set what pages are told: locale, time zone, place, colours, headers and more.", Example: "emulate locale=de-DE timezone=Europe/Berlin", Preset: map[string]string{"action": "emulate"}, Args: []string{"set"}, Drop: []string{"target", "url", "leave"}},
		{Name: "pdf", Detail: pdfDetail, Summary: "Print the page to a PDF and return its path.", Example: "pdf landscape=true pages=1-3", Preset: map[string]string{"action": "pdf"}, Args: []string{"set"}, Drop: []string{"target", "url", "leave"}, Saves: []string{"pdf"}},
	},
	Tool:    "browser_page",
	Title:   "Tabs",
	Summary: "Manage tabs, emulate devices, print a PDF.",
	Detail:  pageDetail,
	Example: "page open https://example.com",
	Profile: dispatch.Core,
	Fresh:   true,
	Away:    []string{"list", "open", "select", "close"},
	Codes:   onPage.and(fault.InvalidArgument, fault.NavigationFailed, fault.URLBlocked, fault.ExpectMismatch, fault.Unsupported, fault.Quota, fault.EffectUnknown),
}, "action", []string{"list", "pdf"}, runPageLook, runPage)

// What is told of each action, together for the tool and alone for its verb.
var (
	tabsDetail     = "Tab numbers are never reused."
	viewportDetail = "viewport takes WIDTHxHEIGHT, or with the pixel ratio WIDTHxHEIGHT@2, or reset, or a device: " + strings.Join(drive.DeviceNames(), ", ") + ". " +
		"A device sets size, ratio, user agent and touch; a size after it gives the others back. Without a target it tells what is set."
	emulateDetail = "emulate sets " + strings.Join(drive.EmulationNames(), ", ") + " for every tab, as long as the browser runs; an empty value ends it. Without a value it tells what is set."
	pdfDetail     = "pdf takes landscape=true, scale=0.5 (0.1 to 2) and pages=1-3,5."
	pageDetail    = strings.Join([]string{tabsDetail, "Closing the last tab leaves an empty one.", viewportDetail, emulateDetail, pdfDetail}, " ")
)

func runPageLook(ctx context.Context, c *dispatch.Read, a pageArgs) (pages, error) {
	if a.Action == "pdf" {
		return printPage(ctx, c, a)
	}
	return tabsOf(c.Browser().Tabs(), c.Hidden), nil
}

func printPage(ctx context.Context, c *dispatch.Read, a pageArgs) (pages, error) {
	p, err := paperOf(named(a))
	if err != nil {
		return pages{}, err
	}
	paper, err := c.Tab().PDF(ctx, p)
	if err != nil {
		return pages{}, err
	}
	f, err := c.Artifacts().Write("page", "pdf", paper.PDF)
	if paper.Unread > 0 {
		c.Note(fmt.Sprintf("%d frames gave no answer: what their fields hold, secrets too, may be in the PDF", paper.Unread))
	}
	return pages{OK: true, File: &f, Pages: paper.Pages, Blanked: paper.Blanked}, err
}

// paperOf reads how to print.
func paperOf(set []string) (drive.Print, error) {
	var p drive.Print
	for _, s := range set {
		name, value, _ := strings.Cut(s, "=")
		switch name {
		case "landscape":
			if value != "true" && value != "false" {
				return p, fault.New(fault.InvalidArgument, "landscape is true or false")
			}
			p.Landscape = value == "true"
		case "scale":
			n, err := strconv.ParseFloat(value, 64)
			if err != nil || !(n >= 0.1 && n <= 2) {
				return p, fault.New(fault.InvalidArgument, "scale is a number from 0.1 to 2")
			}
			p.Scale = n
		case "pages":
			for part := range strings.SplitSeq(value, ",") {
				part = strings.TrimSpace(part)
				if !pageRange().MatchString(part) {
					return p, fault.New(fault.InvalidArgument, "pages are numbers and ranges, such as 1-3,5")
				}
				p.Pages = append(p.Pages, part)
			}
		default:
			return p, fault.New(fault.InvalidArgument, "%q is no setting of a PDF: write name=value, where name is landscape, scale or pages", snipped(name))
		}
	}
	return p, nil
}

var pageRange = lazyregexp.New(`^[1-9][0-9]{0,5}(-([1-9][0-9]{0,5})?)?$`)

// named is what is to be set: also where it was typed in the place of the target.
func named(a pageArgs) []string {
	if strings.Contains(a.Target, "=") {
		return append([]string{a.Target}, a.Set...)
	}
	return a.Set
}

// emulatePage sets what is named; with nothing it tells what is set, and always what
// always names.
func emulatePage(ctx context.Context, c *dispatch.Act, set []string, always ...string) (pages, error) {
	if len(set) == 0 {
		seen, err := c.Tab().Emulated(ctx, always...)
		return pages{OK: err == nil, Seen: seen}, err
	}
	e, err := drive.ParseEmulation(set)
	if err != nil {
		return pages{}, err
	}
	seen, err := c.Tab().Emulate(ctx, e)
	return pages{OK: true, Seen: seen}, err
}

// viewportOf is a size, a size and a ratio, a device, or reset, as what is to be set.
// A size takes the place of the device that was set before: what else that had set,
// named by ofDevice, is given back.
func viewportOf(target string, ofDevice []string) []string {
	size, ratio, ok := strings.Cut(target, "@")
	var set []string
	switch {
	case target == "":
		return nil
	case target == "reset":
		set = []string{"viewport=", "dpr="}
	case target[0] < '0' || target[0] > '9':
		return []string{"device=" + target}
	case ok:
		set = []string{"viewport=" + size, "dpr=" + ratio}
	default:
		set = []string{"viewport=" + size}
	}
	for _, name := range ofDevice {
		if !slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, name+"=") }) {
			set = append(set, name+"=")
		}
	}
	return set
}

func snipped(name string) string {
	if len(name) > 40 {
		return name[:40] + "…"
	}
	return name
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
	case "viewport":
		return emulatePage(ctx, c, viewportOf(a.Target, b.OfDevice()), "viewport", "dpr")
	case "emulate":
		return emulatePage(ctx, c, named(a))
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
	if facts.Dialog != nil {
		out.Outcome = drive.AwaitsDialog
	}
	return out, nil
}

func openPage(ctx context.Context, b *drive.Browser, a pageArgs) (pages, error) {
	address := a.URL
	if a.Target != "" {
		if address != "" {
			return pages{}, fault.New(fault.InvalidArgument, "open takes one address: %s or %s", fault.Arg("target"), fault.Arg("url"))
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
		return 0, fault.New(fault.InvalidArgument, "%s is a tab's number", fault.Arg("target")).WithHint("list the tabs first: %s", fault.Call("browser_page", "action", "list"))
	}
	return n, nil
}

package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/lazyregexp"
)

type waitArgs struct {
	Target    string `json:"target,omitzero" arg:"" maxlen:"8192" help:"Selector, text or URL glob."`
	Kind      string `json:"kind,omitzero" enum:"selector,text,gone,url,load" default:"selector" help:"gone: a text disappears." cli:"What TARGET is; gone is a text that is to disappear."`
	State     string `json:"state,omitzero" enum:"visible,hidden,attached,detached,interactive,complete" help:"Of selector or load." cli:"What an element is to be, or how far the load."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type waited struct {
	OK   bool   `json:"ok"`
	URL  string `json:"url,omitzero"`
	Last string `json:"last,omitzero"`
}

var _ = declare(dispatch.Spec{
	Verb:    "wait",
	Tool:    "browser_wait",
	Title:   "Wait",
	Summary: "Wait for an element, a text, a URL or the load.",
	Detail:  "Looks at once and again after every change. Other callers of the session go on meanwhile.",
	Example: "wait text=Saved",
	Profile: dispatch.Core,
	Awaits:  true,
	Codes:   onRef,
}, runWait)

// shortestWait is what a wait of no time gets to look once.
const shortestWait = 250 * time.Millisecond

func runWait(ctx context.Context, c *dispatch.Read, a waitArgs) (waited, error) {
	spec, err := a.spec()
	if err != nil {
		return waited{}, err
	}
	if looksLikeSelector(spec.Gone) {
		c.Note(fmt.Sprintf("%s was looked for as a text; an element that is to go is waited for by %s", strconv.Quote(spec.Gone), fault.With("browser_wait", "state", "hidden")))
	}
	if spec.Selector != "" {
		if err := c.Targets(spec.Selector); err != nil {
			return waited{}, err
		}
	}
	// Nothing follows a wait: it may use its time to the end.
	ctx, cancel := context.WithTimeout(ctx, max(c.Timeout(), shortestWait))
	defer cancel()
	var w drive.Waited
	err = c.Yield(ctx, func(ctx context.Context) error {
		w, err = c.Tab().Wait(ctx, spec)
		return err
	})
	out := waited{OK: true, Last: dispatch.MaskQuery(w.Last)}
	if a.Kind == "url" || a.Kind == "load" {
		out.URL = dispatch.Address(w.URL)
	}
	return out, err
}

// looksLikeSelector reports whether a text would rather be a selector.
func looksLikeSelector(text string) bool { return selectorShape().MatchString(text) }

var (
	selectorShape = lazyregexp.New(`^(?:e[1-9][0-9]*|[#.][A-Za-z_-][\w-]*|\[[a-z-]+[\]=~^*$|].*|(?:css|role|text|label|testid|id|ref|xpath|placeholder|title|alt)\*?=.+)$`)
	duration      = lazyregexp.New(`^[0-9]+(?:\.[0-9]+)?(?:ms|s)?$`)
)

// spec says the arguments as drive takes them, and refuses what does not go together.
func (a waitArgs) spec() (drive.WaitSpec, error) {
	states := map[string][]string{
		"selector": {"", "visible", "hidden", "attached", "detached"},
		"load":     {"", "interactive", "complete"},
	}[a.Kind]
	if states == nil {
		states = []string{""}
	}
	target, state := a.Target, a.State
	if a.Kind == "load" && state == "" && slices.Contains(states, target) {
		state, target = target, ""
	}
	switch {
	case a.Kind == "selector" && duration().MatchString(target):
		return drive.WaitSpec{}, fault.New(fault.InvalidArgument, "%s is a time, and nothing waits for a time alone", strconv.Quote(target)).
			WithHint("say what is to come, such as %s; %s is how long it may take", fault.Call("browser_wait", "target", "text=Saved"), fault.Arg("timeout_ms"))
	case a.Kind != "load" && target == "":
		return drive.WaitSpec{}, fault.New(fault.InvalidArgument, "%s is missing: a selector, or what %s says", fault.Arg("target"), fault.Arg("kind")).
			WithHint("%s alone takes none", fault.With("browser_wait", "kind", "load"))
	case a.Kind == "load" && target != "" || !slices.Contains(states, state):
		return drive.WaitSpec{}, fault.New(fault.InvalidArgument, "%s takes no %s", fault.With("browser_wait", "kind", a.Kind), strconv.Quote(cmp.Or(target, state))).
			WithHint("%s of selector: visible, hidden, attached, detached; of load: interactive, complete; the others take none", fault.Arg("state"))
	}
	switch a.Kind {
	case "text":
		return drive.WaitSpec{Text: target}, nil
	case "gone":
		return drive.WaitSpec{Gone: target}, nil
	case "url":
		return drive.WaitSpec{URL: target}, nil
	case "load":
		if state == "" {
			state = "complete"
		}
		return drive.WaitSpec{Load: state}, nil
	}
	if state == "" {
		state = "visible"
	}
	return drive.WaitSpec{Selector: target, State: state}, nil
}

package tools

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type a11yArgs struct {
	Selector     string `json:"selector,omitzero" arg:"" maxlen:"8192" cli:"Audit only what is in this element: ref or selector."`
	MinImpact    string `json:"min_impact,omitzero" enum:"minor,moderate,serious,critical" cli:"Tell of violations from this impact on: minor (the default), moderate, serious or critical."`
	Check        bool   `json:"check,omitzero" cli:"Give a verdict; a no is exit status 1."`
	Rules        string `json:"rules,omitzero" maxlen:"1024" cli:"Only these, with commas: ids such as image-alt, or tags such as wcag2aa."`
	DisableRules string `json:"disable_rules,omitzero" maxlen:"1024" cli:"All rules but these."`
	Limit        int    `json:"limit,omitzero" min:"1" max:"100" cli:"How many violated rules are told. Default: 20."`
	Nodes        int    `json:"nodes,omitzero" min:"1" max:"10" cli:"How many elements are told of each. Default: 3."`
}

// audit is what an audit found, the gravest first. What was cut is counted: total
// against the violations told, and of each its total against the nodes told.
type audit struct {
	Checked    bool        `json:"checked,omitzero"`
	Passed     *bool       `json:"passed,omitzero"` // with check
	Total      int         `json:"total"`           // rules violated, of the impact asked for
	Nodes      int         `json:"nodes"`           // elements that violate them
	Critical   int         `json:"critical,omitzero"`
	Serious    int         `json:"serious,omitzero"`
	Moderate   int         `json:"moderate,omitzero"`
	Minor      int         `json:"minor,omitzero"`
	Below      int         `json:"below,omitzero"` // rules violated with less impact
	Passes     int         `json:"passes"`         // rules that hold
	Truncated  bool        `json:"truncated,omitzero"`
	Violations []violation `json:"violations"`
	Review     []toReview  `json:"review,omitzero"`   // a person must judge these
	Unjudged   []unjudged  `json:"unjudged,omitzero"` // frames that were left out
	Failed     []string    `json:"failed,omitzero"`   // rules that could not be run
	Engine     string      `json:"engine"`
}

type violation struct {
	ID     string          `json:"id"`
	Impact string          `json:"impact"`
	Help   string          `json:"help"`
	URL    string          `json:"helpUrl"`
	Tags   []string        `json:"tags"`
	Total  int             `json:"total"`
	Nodes  []violationNode `json:"nodes"`
}

type violationNode struct {
	Ref    string   `json:"ref,omitzero"`
	Line   string   `json:"line"` // as the map would say it
	Target string   `json:"target"`
	Frame  string   `json:"frame,omitzero"` // the address of its document, if it is not the page's
	Why    []string `json:"why"`
}

type toReview struct {
	Rule  string `json:"rule"`
	Nodes int    `json:"nodes"`
}

type unjudged struct {
	Frame  string `json:"frame"`
	Reason string `json:"reason"`
}

var _ = declare(dispatch.Spec{
	Verb:    "a11y",
	Tool:    "browser_a11y",
	Title:   "Accessibility",
	Summary: "Accessibility audit with refs.",
	Detail:  "All frames and open shadow roots are judged, what compares elements of several documents over all of them; a frame that cannot be is named. rules and disable_rules take ids of rules, or tags such as wcag2aa. Where they are not given, min_impact is minor, limit 20 violations, nodes 3 of each. With check the result holds a verdict: passed where no violation has the impact asked for and every frame was judged; on the command line a no is exit status 1. Nothing in the page is changed, and nothing is fetched: rules about style sheets of other origins and about media that have not loaded are left for review.",
	Example: "a11y --min-impact serious",
	Bound:   30 * time.Second,
	Codes:   onElement.and(fault.StateInvalid),
}, runA11y, dispatch.FailWhen(func(a audit) bool { return a.Passed != nil && !*a.Passed }))

func runA11y(ctx context.Context, c *dispatch.Read, a a11yArgs) (audit, error) {
	a.Limit, a.Nodes = cmp.Or(a.Limit, 20), cmp.Or(a.Nodes, 3)
	spec := drive.AuditSpec{Rules: commas(a.Rules), Without: commas(a.DisableRules), Impact: cmp.Or(a.MinImpact, "minor"), Limit: a.Limit, Nodes: a.Nodes}
	if a.Rules != "" && len(spec.Rules) == 0 {
		return audit{}, fault.New(fault.InvalidArgument, "%s holds no rule", fault.Arg("rules"))
	}
	var in *dispatch.Sight
	if a.Selector != "" {
		el, err := c.Tab().Element(ctx, a.Selector)
		if err != nil {
			return audit{}, err
		}
		in = &el
	}
	found, err := c.Tab().Audit(ctx, in, spec)
	if u := drive.RulesUnknown(err); u != nil {
		return audit{}, unknownRules(u)
	}
	if err != nil {
		return audit{}, err
	}
	return auditOf(c, found, a), nil
}

// commas is a list of names that commas or white space separate.
func commas(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
}

// unknownRules is the fault of rules that there are not, with those that were meant.
func unknownRules(u *drive.UnknownRules) error {
	f := fault.New(fault.InvalidArgument, "there is no rule %q", shorten(u.Names[0], 64))
	if near := dispatch.Near(u.Names[0], u.Known, 3); len(near) > 0 {
		return f.WithHint("near: %s", strings.Join(near, ", "))
	}
	return f.WithHint("rules are those of axe-core, such as image-alt; tags such as wcag2a name several")
}

func auditOf(c *dispatch.Read, found drive.Audit, a a11yArgs) audit {
	out := audit{
		Checked: a.Check, Total: found.Total, Nodes: found.Nodes, Below: found.Below, Passes: found.Passes, Failed: found.Errors,
		Engine: "axe-core " + found.Axe, Violations: []violation{},
	}
	for i, n := range []*int{&out.Minor, &out.Moderate, &out.Serious, &out.Critical} {
		if i < len(found.Impacts) {
			*n = found.Impacts[i]
		}
	}
	for _, v := range found.Violations {
		told := violation{ID: v.ID, Impact: v.Impact, Help: v.Help, URL: v.URL, Tags: v.Tags, Total: v.Total, Nodes: []violationNode{}}
		for _, n := range v.Nodes {
			node := violationNode{Line: "(no longer there)", Why: n.Why}
			if row, ok := found.Places[drive.AuditPlace{At: n.At, N: n.N}]; ok {
				node.Ref, node.Line, node.Target = c.Ref(row.Match), row.Line, row.Path
				node.Frame = shorten(row.Frame, 200)
			}
			told.Nodes = append(told.Nodes, node)
		}
		out.Truncated = out.Truncated || told.Total > len(told.Nodes)
		out.Violations = append(out.Violations, told)
	}
	out.Truncated = out.Truncated || out.Total > len(out.Violations)
	for _, r := range found.Review {
		out.Review = append(out.Review, toReview{r.ID, r.Nodes})
	}
	for _, u := range found.Unjudged {
		out.Unjudged = append(out.Unjudged, unjudged{shorten(u.URL, 200), u.Reason})
	}
	if a.Check {
		passed := out.Total == 0 && len(out.Unjudged) == 0 && len(out.Failed) == 0
		out.Passed = &passed
	}
	return out
}

// Text implements dispatch.Texter: a line for each violation and one for each of
// its elements, the page's words in quotes or after a ref.
func (a audit) Text() string {
	lines := []string{a.head()}
	if a.Passed != nil {
		verdict := "failed"
		if *a.Passed {
			verdict = "passed"
		}
		lines = append(lines, "verdict: "+verdict)
	}
	for _, v := range a.Violations {
		lines = append(lines, v.lines()...)
	}
	if n := a.Total - len(a.Violations); n > 0 {
		lines = append(lines, fmt.Sprintf("(%d more rules violated: %s)", n, fault.More("browser_a11y", "limit", strconv.Itoa(min(a.Total, 100)))))
	}
	if len(a.Review) > 0 {
		var parts []string
		for _, r := range a.Review {
			parts = append(parts, fmt.Sprintf("%s (%d)", r.Rule, r.Nodes))
		}
		lines = append(lines, "a person must judge: "+strings.Join(parts, ", "))
	}
	for _, u := range a.Unjudged {
		lines = append(lines, fmt.Sprintf("frame not judged: %q: %s", u.Frame, u.Reason))
	}
	if len(a.Failed) > 0 {
		lines = append(lines, "rules that could not be run: "+strings.Join(a.Failed, ", "))
	}
	return strings.Join(lines, "\n")
}

func (a audit) head() string {
	var impacts []string
	for _, i := range []struct {
		n    int
		name string
	}{{a.Critical, "critical"}, {a.Serious, "serious"}, {a.Moderate, "moderate"}, {a.Minor, "minor"}} {
		if i.n > 0 {
			impacts = append(impacts, fmt.Sprintf("%d %s", i.n, i.name))
		}
	}
	head := fmt.Sprintf("violations: %d", a.Total)
	if len(impacts) > 0 {
		head += fmt.Sprintf(" (%s) in %d nodes", strings.Join(impacts, ", "), a.Nodes)
	}
	if a.Below > 0 {
		head += fmt.Sprintf("; %d of less impact", a.Below)
	}
	return head + fmt.Sprintf("; rules passed: %d; %s", a.Passes, a.Engine)
}

func (v violation) lines() []string {
	lines := []string{fmt.Sprintf("%s %s: %s (%s) %s", v.Impact, v.ID, v.Help, strings.Join(v.Tags, " "), v.URL)}
	for _, n := range v.Nodes {
		line := "  " + n.Ref + ": " + n.Line
		if n.Ref == "" {
			line = "  " + n.Line
		}
		if n.Target != "" && !strings.HasSuffix(n.Line, " "+n.Target) {
			line += " at " + strconv.Quote(n.Target)
		}
		if n.Frame != "" {
			line += " in " + strconv.Quote(n.Frame)
		}
		for _, w := range n.Why {
			line += " " + strconv.Quote(w)
		}
		lines = append(lines, line)
	}
	if more := v.Total - len(v.Nodes); more > 0 {
		lines = append(lines, fmt.Sprintf("  (%d more nodes: %s)", more, fault.More("browser_a11y", "nodes", strconv.Itoa(min(v.Total, 10)))))
	}
	return lines
}

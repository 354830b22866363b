package drive

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// AuditSpec says what to audit. The zero value is the page by the usual rules.
type AuditSpec struct {
	Rules   []string // only these, by id or tag
	Without []string
	Impact  string // the least that counts: minor, moderate, serious, critical
	Limit   int    // violations told
	Nodes   int    // elements told of each
}

// Audit is what an audit found.
type Audit struct {
	pagejs.AuditReport
	Places   map[AuditPlace]AuditRow // of the elements told
	Unjudged []Unjudged
}

// AuditPlace tells an element of a report.
type AuditPlace struct{ At, N int }

// AuditRow is an element as the map says it.
type AuditRow struct {
	Match
	Path  string // CSS, within its document or shadow root
	Frame string // address of its document, "" in the one the audit began with
}

// Unjudged is a frame whose document was left out, and why.
type Unjudged struct {
	URL    string
	Reason string
}

// auditMargin is what an audit leaves of its time to say that it had too little.
const auditMargin = 400 * time.Millisecond

// auditStep is the unit in which a document is told how much time it has.
const auditStep = 5 * time.Second

// auditDoc is a document of an audit under way.
type auditDoc struct {
	context bidi.Context
	url     string
	look    pagejs.AuditLook
	frame   *pagejs.AuditFrame // how its parent shows it; nil for the first
	kids    map[int]int        // frame elements, and the documents they show
	part    pagejs.AuditPart
	reason  string // it is not judged
}

// Audit judges the page, or one element of it, by axe-core in every document that
// belongs to it, open shadow roots included; what compares elements of several
// documents is judged over all of them. A frame that cannot be judged is said. It
// changes nothing in the page. A rule that there is not is INVALID_ARGUMENT with
// all names in its detail; a page too large for the time TIMEOUT; DIALOG_OPEN,
// STALE_REF and BROWSER_LOST as with every reading.
func (t *Tab) Audit(ctx context.Context, e *Element, spec AuditSpec) (Audit, error) {
	top := t.id
	var target pagejs.Target
	if e != nil {
		top, target = e.frame(), e.at()
	}
	docs, err := t.auditDocs(ctx, top, target, e)
	if err != nil {
		return Audit{}, err
	}
	if err := t.auditRun(ctx, docs, target, e, spec); err != nil {
		return Audit{}, err
	}
	order, unjudged := partsOf(docs)
	args := pagejs.AuditEndArgs{Doc: docs[0].look.Doc, Parts: order, Impact: spec.Impact, Limit: spec.Limit, Nodes: spec.Nodes}
	report, err := run(ctx, t, top, pagejs.AuditEnd, args, "")
	if err != nil {
		return Audit{}, fault.From(err).At(fault.BeforeEffect, fault.None)
	}
	if report.Gone != "" {
		return Audit{}, auditMoved()
	}
	out := Audit{AuditReport: report, Unjudged: unjudged}
	out.Places = t.auditRows(ctx, docs, report)
	return out, nil
}

func auditMoved() error {
	return fault.New(fault.StateInvalid, "the page navigated while it was audited").WithHint("audit it once it stands still")
}

// auditDocs looks at every document under top and finds out which of them belong to
// the audit; axe-core is put where it lacks.
func (t *Tab) auditDocs(ctx context.Context, top bidi.Context, target pagejs.Target, e *Element) ([]*auditDoc, error) {
	order := t.documents(top)
	if err := t.pierce(ctx, order); err != nil {
		return nil, fault.From(err).At(fault.BeforeEffect, fault.None)
	}
	calls := make([]*pageCall[pagejs.AuditLookArgs, pagejs.AuditLook], len(order))
	for i, c := range order {
		args := pagejs.AuditLookArgs{}
		if i == 0 {
			args = pagejs.AuditLookArgs(target)
		}
		calls[i] = begin(t, c, pagejs.AuditDocument, args, "")
	}
	docs := make([]*auditDoc, len(order))
	var late patience
	for i, c := range order {
		d := &auditDoc{context: c, url: t.frameURL(c), kids: map[int]int{}}
		docs[i] = d
		look, err := patient(ctx, calls[i], i > 0, &late)
		switch {
		case err == nil && look.Gone != "":
			return nil, e.gone(look.Gone, look.Line)
		case err == nil:
			d.look = look
		case i == 0:
			return nil, fault.From(err).At(fault.BeforeEffect, fault.None)
		default:
			d.reason = auditReason(err)
		}
	}
	t.auditFrames(ctx, order, docs, e == nil)
	type install struct {
		d    *auditDoc
		call *pageCall[struct{}, string]
	}
	var puts []install
	for i, d := range docs {
		if (i == 0 || d.frame != nil) && d.reason == "" && !d.look.Ready {
			puts = append(puts, install{d, begin(t, d.context, pagejs.Axe, struct{}{}, "")})
		}
	}
	for _, p := range puts {
		_, err := patient(ctx, p.call, p.d != docs[0], &late)
		switch {
		case err == nil:
		case p.d == docs[0]:
			return nil, fault.From(err).At(fault.BeforeEffect, fault.None)
		default:
			p.d.reason = auditReason(err)
		}
	}
	return docs, nil
}

// auditFrames finds out which element shows which document. Those that none in
// scope shows do not belong to the audit.
func (t *Tab) auditFrames(ctx context.Context, order []bidi.Context, docs []*auditDoc, page bool) {
	var late patience
	for i, d := range docs {
		if len(d.look.Frames) == 0 || len(t.kids(d.context)) == 0 || i > 0 && d.frame == nil {
			continue
		}
		var args pagejs.FramesArgs
		for _, f := range d.look.Frames {
			args.Nodes = append(args.Nodes, f.Node)
		}
		bound, stop := late.bound(ctx)
		v, err := begin(t, d.context, pagejs.Frames, args, "").value(bound)
		stop()
		if err != nil {
			continue
		}
		list, _ := v.AsList()
		for k, f := range d.look.Frames {
			if k >= len(list) {
				break
			}
			shown, ok := list[k].AsWindow()
			at := slices.Index(order, shown)
			if !ok || at <= 0 {
				continue
			}
			f.Page = page
			if d.frame != nil {
				f.Focusable = f.Focusable && d.frame.Focusable
			}
			docs[at].frame = &f
			d.kids[f.Node] = at
		}
	}
}

// auditRun runs the rules in every document that belongs to the audit, at once.
func (t *Tab) auditRun(ctx context.Context, docs []*auditDoc, target pagejs.Target, e *Element, spec AuditSpec) error {
	left := 30 * time.Second
	if until, ok := ctx.Deadline(); ok {
		left = max(time.Until(until)-auditMargin, 100*time.Millisecond)
	}
	if left > auditStep { // to the step, so that what is sent does not depend on the moment
		left = left.Truncate(auditStep)
	}
	calls := make([]*pageCall[pagejs.AuditRunArgs, pagejs.AuditPart], len(docs))
	for i, d := range docs {
		if i > 0 && d.frame == nil || d.reason != "" {
			continue
		}
		args := pagejs.AuditRunArgs{At: i, Doc: d.look.Doc, Frame: d.frame, Rules: spec.Rules, Without: spec.Without, MS: int(left.Milliseconds())}
		if i == 0 && e != nil {
			args.Node, args.Stamp = target.Node, target.Stamp
		}
		calls[i] = begin(t, d.context, pagejs.AuditRun, args, "")
	}
	var late patience
	for i, d := range docs {
		if calls[i] == nil {
			continue
		}
		part, err := patient(ctx, calls[i], i > 0, &late)
		if i > 0 {
			d.part = part
			switch {
			case err != nil:
				d.reason = auditReason(err)
			case part.Empty:
				d.reason = "it is empty"
			case part.Gone != "":
				d.reason = "it navigated meanwhile"
			case part.Late:
				d.reason = auditReason(fault.New(fault.Timeout, ""))
			}
			continue
		}
		d.part = part
		if err := firstPart(part, err, e); err != nil {
			for _, c := range calls[1:] {
				if c != nil {
					c.drop()
				}
			}
			return err
		}
	}
	return nil
}

// firstPart says what is wrong with the part of the document that the audit begins with.
func firstPart(part pagejs.AuditPart, err error, e *Element) error {
	switch {
	case part.Late || errors.Is(err, fault.Timeout):
		return fault.New(fault.Timeout, "the page is too large, or too busy, to be audited within the time").
			WithHint("audit a part of it (%s), or choose rules (%s)", fault.Arg("selector"), fault.Arg("rules")).Because(err).At(fault.BeforeEffect, fault.None)
	case err != nil:
		return fault.From(err).At(fault.BeforeEffect, fault.None)
	case part.Empty:
		return fault.New(fault.StateInvalid, "the document is empty: it has no root element, so there is nothing to audit").At(fault.BeforeEffect, fault.None)
	case part.Gone != "" && e != nil:
		return e.gone(part.Gone, part.Line)
	case part.Gone != "":
		return auditMoved()
	case len(part.Unknown) > 0:
		return &UnknownRules{part.Unknown, part.Known}
	case part.None:
		return fault.New(fault.InvalidArgument, "no rule is left to run")
	}
	return nil
}

// auditReason says why a frame is not judged.
func auditReason(err error) string {
	switch {
	case errors.Is(err, fault.Timeout):
		return "it gave no answer in time"
	case errors.Is(err, errNavigated), errors.Is(err, errTransient), errors.Is(err, errFrameGone):
		return "it navigated meanwhile"
	}
	return fault.From(err).Error()
}

// UnknownRules are rules that axe-core has not, and those that it has.
type UnknownRules struct{ Names, Known []string }

func (u *UnknownRules) Error() string { return "unknown rules: " + strings.Join(u.Names, ", ") }

// partsOf are the parts of the frames as axe-core wants them: in the order of their
// elements, each followed by its own frames, "" for one that was not judged.
func partsOf(docs []*auditDoc) (parts []string, unjudged []Unjudged) {
	parts = []string{}
	judged := make([]bool, len(docs))
	leave := func(d *auditDoc, reason string) {
		unjudged = append(unjudged, Unjudged{d.url, reason})
	}
	var follow func(d *auditDoc)
	follow = func(d *auditDoc) {
		for _, n := range d.part.Frames {
			at, ok := d.kids[n]
			switch {
			case !ok:
				parts = append(parts, "")
				unjudged = append(unjudged, Unjudged{"", "the frame's document cannot be reached"})
			case docs[at].reason != "" || docs[at].part.Part == "":
				parts = append(parts, "")
				judged[at] = true
				leave(docs[at], docs[at].reason)
			default:
				parts = append(parts, docs[at].part.Part)
				judged[at] = true
				follow(docs[at])
			}
		}
	}
	follow(docs[0])
	for i, d := range docs {
		if i > 0 && !judged[i] && d.frame == nil && d.reason != "" {
			leave(d, d.reason)
		}
	}
	return parts, unjudged
}

// auditRows names the elements of a report. One that cannot be named any more is
// left out.
func (t *Tab) auditRows(ctx context.Context, docs []*auditDoc, report pagejs.AuditReport) map[AuditPlace]AuditRow {
	wanted := make([][]int, len(docs))
	for _, v := range report.Violations {
		for _, n := range v.Nodes {
			if n.At < len(docs) && n.N > 0 && !slices.Contains(wanted[n.At], n.N) {
				wanted[n.At] = append(wanted[n.At], n.N)
			}
		}
	}
	calls := make([]*pageCall[pagejs.AuditRowsArgs, pagejs.AuditRowed], len(docs))
	for i, d := range docs {
		if len(wanted[i]) > 0 {
			calls[i] = begin(t, d.context, pagejs.AuditRows, pagejs.AuditRowsArgs{Doc: d.look.Doc, Nodes: wanted[i]}, "")
		}
	}
	rows := map[AuditPlace]AuditRow{}
	var late patience
	for i, d := range docs {
		if calls[i] == nil {
			continue
		}
		a, err := patient(ctx, calls[i], true, &late)
		if err != nil || a.Gone != "" {
			continue
		}
		for _, r := range a.Rows {
			row := AuditRow{Match: matchOf(d.context, a.Doc, r.LocatedRow), Path: r.Path}
			if i > 0 {
				row.Frame = d.url
			}
			rows[AuditPlace{i, r.Node}] = row
		}
	}
	return rows
}

func (t *Tab) frameURL(c bidi.Context) string {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	if f := t.b.frames[c]; f != nil {
		return f.url
	}
	return ""
}

// RulesUnknown is what an audit says of rules that there are not, nil of anything else.
func RulesUnknown(err error) *UnknownRules {
	var u *UnknownRules
	if errors.As(err, &u) {
		return u
	}
	return nil
}

package drive

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/lazyregexp"
	"duet/internal/pagejs"
)

// Print says how a page is put on paper. The zero value is portrait, whole, at its
// own size.
type Print struct {
	Landscape bool
	Scale     float64  // 0 is 1
	Pages     []string // ranges such as 2 and 4-6; none is all
}

// Paper is a printed page.
type Paper struct {
	PDF     []byte
	Pages   int
	Blanked int // fields with secrets, which are blank on it
	Unread  int // frames that gave no answer: what their fields hold is on it
}

// PDF prints the tab's page, backgrounds included, without asking anybody. Filled fields
// that hold secrets are blank on it: for as long as it is printed they are not visible. It fails
// with DIALOG_OPEN while a dialog is open and INVALID_ARGUMENT for pages that there
// are not.
func (t *Tab) PDF(ctx context.Context, p Print) (Paper, error) {
	if t.Closed() {
		return Paper{}, t.closedFault()
	}
	if d := t.Dialog(); d != nil {
		return Paper{}, dialogFault(d)
	}
	none := fault.New(fault.InvalidArgument, "the page has no pages %s on paper", strings.Join(p.Pages, ",")).
		WithHint("print it whole, and the answer says how many there are: %s", fault.Call("browser_page", "action", "pdf")).At(fault.BeforeEffect, fault.None)
	last, several := named(p.Pages)
	if last > 0 && t.b.quirks.PrintsBeyondEnd {
		whole, err := t.PDF(ctx, Print{Landscape: p.Landscape, Scale: p.Scale})
		if err != nil {
			return Paper{}, err
		}
		if last > whole.Pages {
			return Paper{}, none
		}
	}
	params := bidi.BrowsingContextPrintParameters{Context: t.id, Background: true, Scale: p.Scale, PageRanges: p.Pages}
	if p.Landscape {
		params.Orientation = "landscape"
	}
	var paper Paper
	order := t.documents(t.id)
	defer t.unblank(ctx, order)
	if err := t.blank(ctx, order, &paper); err != nil {
		return Paper{}, err
	}
	t.b.mu.Lock()
	tabs := t.b.lastTab
	t.b.mu.Unlock()
	since := t.Mark().event
	pending := bidi.BrowsingContextPrint.Send(t.b.conn, params)
	if err := t.raceInput(ctx, t.id, pending.Done(), since); err != nil {
		pending.Forget()
		return Paper{}, fault.From(err).At(fault.BeforeEffect, fault.None)
	}
	printed, err := pending.Wait(ctx)
	if t.b.quirks.PrintsCopiesOfFrames {
		t.b.concealCopies(tabs)
	}
	if err != nil {
		f := wireFault("print the page", err)
		if len(p.Pages) > 0 && strings.Contains(messageOf(err), "age range") {
			f = none.Because(err)
		}
		return Paper{}, f.At(fault.BeforeEffect, fault.None)
	}
	paper.PDF, paper.Pages = printed.Data, pagesOf(printed.Data)
	if paper.Pages < several {
		return Paper{}, none
	}
	if !bytes.HasPrefix(paper.PDF, []byte("%PDF-")) {
		return Paper{}, fault.New(fault.Internal, "print the page: what came is no PDF").At(fault.BeforeEffect, fault.None)
	}
	return paper, nil
}

// blank makes the fields with secrets invisible in the documents of a page.
func (t *Tab) blank(ctx context.Context, order []bidi.Context, paper *Paper) error {
	calls := make([]*pageCall[pagejs.PaperArgs, pagejs.Papered], len(order))
	for i, c := range order {
		calls[i] = begin(t, c, pagejs.Paper, pagejs.PaperArgs{}, "")
	}
	var late patience
	for i, c := range calls {
		r, err := patient(ctx, c, i > 0, &late)
		switch {
		case err == nil:
			paper.Blanked += r.Blanked
		case i == 0:
			return fault.From(err).At(fault.BeforeEffect, fault.None)
		case !errors.Is(err, errFrameGone):
			paper.Unread++
		}
	}
	return nil
}

// concealCopies takes back the tabs that a print has made: after the one of that number,
// opened by nobody.
func (b *Browser) concealCopies(after int) {
	b.mu.Lock()
	all := slices.Clone(b.tabs)
	b.mu.Unlock()
	for _, t := range slices.Backward(all) {
		if t.number > after && t.opener == 0 && !t.ours && blank(t.URL()) {
			b.conceal(t.id)
		}
	}
}

// unblank ends what blank did, whatever became of ctx.
func (t *Tab) unblank(ctx context.Context, order []bidi.Context) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	calls := make([]*pageCall[pagejs.PaperArgs, pagejs.Papered], len(order))
	for i, c := range order {
		calls[i] = begin(t, c, pagejs.Paper, pagejs.PaperArgs{Back: true}, "")
	}
	var late patience
	for _, c := range calls {
		_, _ = patient(ctx, c, true, &late) // a document that has gone took it along
	}
}

// named returns the highest page that ranges name, and how many they name.
func named(ranges []string) (last, several int) {
	for _, r := range ranges {
		from, to, isRange := strings.Cut(r, "-")
		first, _ := strconv.Atoi(from)
		end, err := strconv.Atoi(to)
		if !isRange || err != nil { // 2 and 2- both begin there
			end = first
		}
		last, several = max(last, end), max(several, end-first+1)
	}
	return last, several
}

var (
	aPage    = lazyregexp.New(`/Type\s*/Page\b`)
	aStream  = lazyregexp.New(`(?s)/Type\s*/ObjStm\b.{0,200}?stream\r?\n`)
	maxInner = int64(64 << 20)
)

// pagesOf counts the pages of a PDF: objects of that type, which lie open or in
// streams of objects.
func pagesOf(pdf []byte) int {
	n := len(aPage().FindAll(pdf, -1))
	for _, at := range aStream().FindAllIndex(pdf, -1) {
		z, err := zlib.NewReader(bytes.NewReader(pdf[at[1]:]))
		if err != nil {
			continue
		}
		inner, _ := io.ReadAll(io.LimitReader(z, maxInner)) // what could be read counts
		n += len(aPage().FindAll(inner, -1))
	}
	return n
}

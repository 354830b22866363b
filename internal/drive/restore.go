package drive

import (
	"context"
	"sync"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// restore gives a browser its saved cookies and storage, before anything of the
// session is there to see it. Storage belongs to an origin's documents, so each
// origin gets one: an empty page, which is answered here and asks nobody. It is
// shown in a tab of its own that is closed again, so no script of the origin has
// run, and none runs without its storage.
func (b *Browser) restore(ctx context.Context, s *SavedState) error {
	var sent []*bidi.Pending[bidi.StorageSetCookieResult]
	for _, c := range s.cookies {
		p := bidi.StorageSetCookieParameters{Cookie: c.cookie}
		if c.top != "" {
			p.Partition = bidi.StorageStorageKeyPartitionDescriptor{SourceOrigin: c.top}
		}
		sent = append(sent, bidi.StorageSetCookie.Send(b.conn, p))
	}
	for i, p := range sent {
		if _, err := p.Wait(ctx); err != nil {
			return notRestored(s.cookies[i].at, err)
		}
	}
	with := false
	for _, o := range s.origins {
		with = with || len(o.entries) > 0
	}
	if !with {
		return nil
	}
	return b.restoreStorage(ctx, s.origins)
}

func notRestored(at string, err error) error {
	f := wireFault("restore the saved state", err)
	if f.Code == fault.BrowserLost || f.Code == fault.Timeout || f.Code == fault.Cancelled {
		return f
	}
	return wrongState(at, "the browser does not take it: %s", f.Message)
}

func (b *Browser) restoreStorage(ctx context.Context, origins []savedOrigin) error {
	host := &emptyPages{b: b}
	b.restoring.Store(host)
	defer b.restoring.Store(nil)
	tab, err := bidi.BrowsingContextCreate.Call(ctx, b.conn, bidi.BrowsingContextCreateParameters{Type: "tab", Background: true})
	if err != nil {
		return wireFault("restore the saved state", err)
	}
	mine := []bidi.Context{tab.Context}
	heard, err := bidi.SessionSubscribe.Call(ctx, b.conn, bidi.SessionSubscribeParameters{Events: []string{bidi.NetworkBeforeRequestSent.Method}, Contexts: mine})
	if err != nil {
		return wireFault("restore the saved state", err)
	}
	caught, err := bidi.NetworkAddIntercept.Call(ctx, b.conn, bidi.NetworkAddInterceptParameters{
		Phases: []bidi.NetworkInterceptPhase{bidi.NetworkInterceptPhaseBeforeRequestSent}, Contexts: mine,
	})
	if err != nil {
		return wireFault("restore the saved state", err)
	}
	for _, o := range origins {
		if len(o.entries) == 0 {
			continue
		}
		if err := b.fillOrigin(ctx, tab.Context, o); err != nil {
			return err
		}
	}
	closed := bidi.BrowsingContextClose.Send(b.conn, bidi.BrowsingContextCloseParameters{Context: tab.Context})
	free := bidi.NetworkRemoveIntercept.Send(b.conn, bidi.NetworkRemoveInterceptParameters(caught))
	quiet := bidi.SessionUnsubscribe.Send(b.conn, bidi.SessionUnsubscribeByIDRequest{Subscriptions: []bidi.Subscription{heard.Subscription}})
	if _, err := closed.Wait(ctx); err != nil {
		return wireFault("restore the saved state", err)
	}
	if _, err := free.Wait(ctx); err != nil {
		return wireFault("restore the saved state", err)
	}
	_, _ = quiet.Wait(ctx) // it may have ended with its tab
	host.work.Wait()
	return nil
}

// fillOrigin shows an empty page of the origin and puts its entries into its storage.
func (b *Browser) fillOrigin(ctx context.Context, tab bidi.Context, o savedOrigin) error {
	_, err := bidi.BrowsingContextNavigate.Call(ctx, b.conn, bidi.BrowsingContextNavigateParameters{
		Context: tab, URL: o.origin + "/", Wait: bidi.BrowsingContextReadinessStateComplete,
	})
	if err != nil {
		return notRestored(o.at, err)
	}
	entries, err := json.MarshalWithOption(o.entries, json.DisableHTMLEscape())
	if err != nil {
		return wrongState(o.at, "it cannot be written: %v", err)
	}
	out, err := bidi.ScriptCallFunction.Call(ctx, b.conn, bidi.ScriptCallFunctionParameters{
		FunctionDeclaration: pagejs.Restore.First(),
		AwaitPromise:        true,
		Target:              bidi.ScriptContextTarget{Context: tab, Sandbox: sandbox},
		Arguments: []bidi.ScriptLocalValue{
			bidi.StringValue(pagejs.Restore.Args(struct{}{})),
			bidi.ObjectValue(bidi.Pair{Name: "secret", Value: bidi.StringValue(string(entries))}),
		},
	})
	switch {
	case err != nil:
		return notRestored(o.at, err)
	case out.ExceptionDetails != nil:
		return wrongState(o.at, "the browser does not take its storage: %s", cut(out.ExceptionDetails.Text, 200))
	}
	return nil
}

// emptyPages answers every request that is held with an empty page.
type emptyPages struct {
	b    *Browser
	work sync.WaitGroup
}

// event is the sink meanwhile: it must neither block nor send.
func (e *emptyPages) event(ev bidi.Event) {
	if ev.Method != bidi.NetworkBeforeRequestSent.Method {
		return
	}
	var held struct {
		Blocked bool `json:"isBlocked"`
		Request struct {
			ID bidi.RequestID `json:"request"`
		} `json:"request"`
	}
	if json.Unmarshal(ev.Params, &held) != nil || !held.Blocked {
		return
	}
	e.work.Go(func() {
		body := bidi.NetworkText("")
		// One that is gone meanwhile needs no answer.
		_, _ = bidi.NetworkProvideResponse.Send(e.b.conn, bidi.NetworkProvideResponseParameters{
			Request: held.Request.ID, StatusCode: 200, ReasonPhrase: "OK",
			Headers: []bidi.NetworkHeader{{Name: "Content-Type", Value: bidi.NetworkText("text/html")}},
			Body:    &body,
		}).Wait(context.Background())
	})
}

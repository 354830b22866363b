package drive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
)

// net tells the browser's state of one network event.
func (b *Browser) net(event, id string, hop int, url, more string) {
	b.event(bidi.Event{Method: "network." + event, Params: json.RawMessage(fmt.Sprintf(
		`{"context":"t1","navigation":null,"redirectCount":%d,"isBlocked":false,"timestamp":1796044420153,"request":{"request":%q,"url":%q,"method":"GET","headers":[],"bodySize":0,"headersSize":256,"destination":"","initiatorType":"fetch","timings":{}}%s}`,
		hop, id, url, more))})
}

func statusOf(status int) string { return answerOf(status, "x") }

func answerOf(status int, text string) string {
	return fmt.Sprintf(`,"response":{"status":%d,"statusText":%q,"protocol":"http/1.1","mimeType":"text/plain;charset=utf-8","bytesReceived":122,"bodySize":6,"headersSize":116,"content":{"size":0},"headers":[]}`, status, text)
}

func row(r Request) string {
	return fmt.Sprintf("%d %s %s %d %s<%d", r.Seq, r.State, r.Type, r.Status, strings.TrimPrefix(r.URL, "http://a"), r.From)
}

// However the events of a request come, it is one, and each hop of a redirect is one.
func TestARequestIsOneHoweverItsEventsCome(t *testing.T) {
	b := quiet(t)
	b.net("responseStarted", "1", 0, "http://a/late", statusOf(200))
	b.net("beforeRequestSent", "1", 0, "http://a/late", "")
	b.net("responseCompleted", "1", 0, "http://a/late", statusOf(200))
	b.net("beforeRequestSent", "1", 0, "http://a/late", "")
	b.net("beforeRequestSent", "2", 0, "http://a/moved", "")
	b.net("responseCompleted", "2", 0, "http://a/moved", statusOf(302))
	b.net("beforeRequestSent", "2", 1, "http://a/target", "")
	b.net("responseCompleted", "2", 1, "http://a/target", statusOf(200))
	b.net("beforeRequestSent", "3", 0, "http://a/gone", "")
	b.net("responseCompleted", "3", 0, "http://a/gone", statusOf(404))
	b.net("beforeRequestSent", "4", 0, "http://a/drop", "")
	b.net("fetchError", "4", 0, "http://a/drop", `,"errorText":"net::ERR_EMPTY_RESPONSE"`)
	b.net("fetchError", "5", 0, "http://a/given-up", `,"errorText":"NS_BINDING_ABORTED"`)
	b.net("beforeRequestSent", "6", 0, "http://a/hangs", "")
	want := []string{
		"1 finished fetch 200 /late<0", "2 finished fetch 302 /moved<0", "3 finished fetch 200 /target<2", "4 finished fetch 404 /gone<0",
		"5 failed fetch 0 /drop<0", "6 aborted fetch 0 /given-up<0", "7 aborted fetch 0 /hangs<0",
	}
	l := b.Requests(RequestFilter{})
	var got []string
	for _, r := range l.Requests {
		got = append(got, row(r))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("requests are\n%s", strings.Join(got, "\n"))
	}
	if l.Finished != 4 || l.Failed != 1 || l.Aborted != 1 || l.EndCount != 6 || l.Cursor != 7 {
		t.Errorf("counts are %+v", l)
	}
	if first := l.Requests[0]; first.MIME != "text/plain" || first.Received != (Sizes{116, 6}) {
		t.Errorf("the first is %+v", first)
	}
	for _, c := range []struct {
		f    RequestFilter
		want int
	}{
		{RequestFilter{Contains: "A/T"}, 1}, {RequestFilter{States: []string{"failed"}}, 2}, {RequestFilter{Statuses: []int{2}}, 2},
		{RequestFilter{Statuses: []int{404, 302}}, 2}, {RequestFilter{Methods: []string{"post"}}, 0}, {RequestFilter{Types: []string{"fetch"}}, 7},
		{RequestFilter{After: 5}, 2}, {RequestFilter{EndedAfter: 4}, 2}, {RequestFilter{Tab: 9}, 0},
	} {
		if got := b.Requests(c.f).Total; got != c.want {
			t.Errorf("%+v: %d, want %d", c.f, got, c.want)
		}
	}
	if _, n := b.ClearLog(); n != 6 {
		t.Errorf("cleared %d", n)
	}
	if l := b.Requests(RequestFilter{}); len(l.Requests) != 1 || l.Dropped != 0 || l.Cursor != 7 {
		t.Errorf("after clearing: %+v", l)
	}
}

// Chrome may tell the answer of a redirect as that of the request it led to; the
// name of the status is that one's own. What says so itself is believed.
func TestARedirectsAnswerIsNotItsTargets(t *testing.T) {
	for text, want := range map[string]int{"OK": 200, "Not Found": 404, "": 0, "Found": 302} {
		b := quiet(t)
		b.quirks = quirksOf("chrome")
		b.net("beforeRequestSent", "2", 0, "http://a/moved", "")
		b.net("responseCompleted", "2", 0, "http://a/moved", answerOf(302, "Found"))
		b.net("beforeRequestSent", "2", 1, "http://a/target", "")
		mixed := strings.Replace(answerOf(302, text), `"headers":[]`, `"headers":[{"name":"Location","value":{"type":"string","value":"/target"}}]`, 1)
		b.net("responseStarted", "2", 1, "http://a/target", mixed)
		b.net("responseCompleted", "2", 1, "http://a/target", mixed)
		if got := b.Requests(RequestFilter{}).Requests; len(got) != 2 || got[0].Status != 302 || got[1].Status != want || got[1].State != RequestFinished {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// What is kept is bounded, and what was let go is counted.
func TestRequestsThatWereLetGoAreCounted(t *testing.T) {
	b := quiet(t)
	for i := range 5000 {
		url := fmt.Sprintf("http://a/%d", i)
		b.net("beforeRequestSent", fmt.Sprint(i), 0, url, "")
		b.net("responseCompleted", fmt.Sprint(i), 0, url, statusOf(200))
	}
	l := b.Requests(RequestFilter{Limit: 3})
	if l.Total != requestEntries || l.Dropped != 5000-requestEntries || l.Finished != 5000 || len(l.Requests) != 3 || l.Requests[2].Seq != 5000 {
		t.Errorf("of 5000 requests: total %d, dropped %d, finished %d, last %v", l.Total, l.Dropped, l.Finished, l.Requests)
	}
	if n := len(b.exchanges.byHop); n != requestEntries {
		t.Errorf("%d are known by their id", n)
	}
	big := strings.Repeat("x", headerBytes-100)
	for i := range 600 {
		b.event(bidi.Event{Method: "network.beforeRequestSent", Params: json.RawMessage(fmt.Sprintf(
			`{"context":"t1","redirectCount":0,"request":{"request":"big%d","url":"http://a/","method":"GET","headers":[{"name":"x","value":{"type":"string","value":%q}}]}}`, i, big))})
	}
	if b.exchanges.bytes > requestBytes {
		t.Errorf("%d bytes are held", b.exchanges.bytes)
	}
	sum := 0
	for _, r := range b.exchanges.entries {
		sum += r.size()
	}
	if sum != b.exchanges.bytes {
		t.Errorf("%d bytes are counted, %d are held", b.exchanges.bytes, sum)
	}
}

func TestAWaitForARequestScansFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := quiet(t)
		b.net("responseCompleted", "1", 0, "http://a/save", statusOf(200))
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if l, err := b.AwaitRequest(ctx, RequestFilter{Contains: "save"}); err != nil || l.Cursor != 1 {
			t.Errorf("%+v, %v", l, err)
		}
		go func() {
			b.net("beforeRequestSent", "2", 0, "http://a/save", "")
			b.net("responseCompleted", "2", 0, "http://a/save", statusOf(500))
		}()
		if l, err := b.AwaitRequest(ctx, RequestFilter{Contains: "save", After: 1, States: []string{"failed"}}); err != nil || l.Cursor != 2 || l.Requests[0].Status != 500 {
			t.Errorf("%+v, %v", l, err)
		}
		_, err := b.AwaitRequest(ctx, RequestFilter{Statuses: []int{4}, Methods: []string{"PUT"}})
		if !errors.Is(err, fault.Timeout) || !strings.Contains(err.Error(), "PUT 4xx") {
			t.Errorf("%v, want TIMEOUT", err)
		}
	})
}

// The numbers of the next browser's requests go on where the last one's ended.
func TestTheNextBrowserContinuesTheRequests(t *testing.T) {
	b := quiet(t)
	b.net("fetchError", "1", 0, "http://a/x", `,"errorText":"net::ERR_FAILED"`)
	b.ContinueRequests(40)
	b.net("responseCompleted", "2", 0, "http://a/y", statusOf(200))
	l := b.Requests(RequestFilter{})
	if len(l.Requests) != 2 || l.Requests[0].Seq != 41 || l.Requests[1].Seq != 42 || l.Dropped != 0 {
		t.Errorf("%+v", l)
	}
	if e := b.Log(LogFilter{}).Entries[0]; e.Request != 41 {
		t.Errorf("the log names request %d", e.Request)
	}
}

// Moments in either form divide the time of a request into parts that add up to it.
func TestThePartsOfARequestsTimeAddUp(t *testing.T) {
	for name, c := range map[string]struct {
		moments fetchTiming
		want    Timing
	}{
		"relative": {fetchTiming{Origin: 1796044418056, DNSStart: 1, DNSEnd: 2, ConnectStart: 2, ConnectEnd: 5, TLSStart: 3, RequestStart: 5, ResponseStart: 8}, Timing{1, 1, 3, 2, 0, 3, 12}},
		"absolute": {fetchTiming{Request: 1796044418056, RequestStart: 1796044418058, ResponseStart: 1796044418064}, Timing{2, -1, -1, -1, 0, 6, 12}},
		"none":     {fetchTiming{}, Timing{-1, -1, -1, -1, 0, 20, 0}},
	} {
		got := c.moments.parts(20)
		sum := got.Send + got.Wait + got.Receive + max(0, got.Blocked) + max(0, got.DNS) + max(0, got.Connect)
		if got != c.want || sum != 20 {
			t.Errorf("%s: %+v, sum %v", name, got, sum)
		}
	}
}

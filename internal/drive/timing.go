package drive

import "time"

// Timing is the parts of a request's time, in milliseconds; -1 is a part that there
// was not, or that the browser does not tell. TLS is a part of Connect; the others
// add up to the whole.
type Timing struct {
	Blocked, DNS, Connect, TLS, Send, Wait, Receive float64
}

// noTiming is that of a request of which nothing is known.
var noTiming = Timing{-1, -1, -1, -1, -1, -1, -1}

// fetchTiming are the moments that the browser gives: milliseconds since its origin,
// or since 1970, by browser. 0 is a moment that there was not.
type fetchTiming struct {
	Origin        float64 `json:"timeOrigin"`
	Request       float64 `json:"requestTime"`
	DNSStart      float64 `json:"dnsStart"`
	DNSEnd        float64 `json:"dnsEnd"`
	ConnectStart  float64 `json:"connectStart"`
	ConnectEnd    float64 `json:"connectEnd"`
	TLSStart      float64 `json:"tlsStart"`
	RequestStart  float64 `json:"requestStart"`
	ResponseStart float64 `json:"responseStart"`
}

// epoch is a number of milliseconds that can only be counted from 1970.
const epoch = 1e11

// began is when the request began, zero where the browser does not say.
func (t fetchTiming) began() time.Time {
	if at := t.base(); at > epoch {
		return time.UnixMicro(int64(at * 1000))
	}
	return time.Time{}
}

func (t fetchTiming) base() float64 {
	if t.Request > epoch {
		return t.Request
	}
	return t.Origin + t.Request
}

// offset is a moment as milliseconds from the beginning, -1 for one that there was not.
func (t fetchTiming) offset(moment float64) float64 {
	switch {
	case moment <= 0:
		return -1
	case moment > epoch:
		return max(0, moment-t.base())
	}
	return moment
}

// parts divides the whole, in milliseconds, by the moments that are known.
func (t fetchTiming) parts(whole float64) Timing {
	out := noTiming
	span := func(from, to float64) float64 {
		if a, b := t.offset(from), t.offset(to); a >= 0 && b >= a {
			return b - a
		}
		return -1
	}
	out.DNS = span(t.DNSStart, t.DNSEnd)
	out.Connect = span(t.ConnectStart, t.ConnectEnd)
	if out.Connect >= 0 {
		out.TLS = span(t.TLSStart, t.ConnectEnd)
	}
	answered := t.offset(t.ResponseStart)
	if answered < 0 || answered > whole {
		// Nothing but the whole is known: all of it was waiting.
		return Timing{Blocked: -1, DNS: -1, Connect: -1, TLS: -1, Send: 0, Wait: whole, Receive: 0}
	}
	out.Send = 0
	out.Wait = max(0, span(t.RequestStart, t.ResponseStart))
	out.Receive = whole - answered
	out.Blocked = answered - out.Wait - max(0, out.DNS) - max(0, out.Connect)
	if out.Blocked < 0 {
		// The connection was made for another request, and this one waited for a part of it.
		out.DNS, out.Connect, out.TLS = -1, -1, -1
		out.Blocked = answered - out.Wait
	}
	return out
}

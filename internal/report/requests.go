package report

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"duet/internal/trace"
)

func (b *builder) requests() {
	slices.SortStableFunc(b.t.Network, func(x, y trace.Network) int { return cmp.Compare(x.At, y.At) })
	b.network = []request{}
	for _, n := range b.t.Network {
		r := requestOf(n)
		r.Action = b.at(n.At)
		b.network = append(b.network, r)
		if r.Action >= 0 {
			row := &b.index.Rows[r.Action]
			row.Reqs++
			if r.Failed {
				row.Bad++
			}
		}
		if r.Failed {
			title := "request failed"
			if r.Status > 0 {
				title = fmt.Sprintf("request answered %d", r.Status)
			}
			b.wrong(wrong{r.At, r.Action, title, r.Method + " " + r.URL, r.Error})
		}
	}
}

func requestOf(n trace.Network) request {
	r := request{
		At: n.At, Ms: -1, Method: short(cmp.Or(n.Method, "?"), 40), URL: short(n.URL, maxLine), Status: n.Status, Failed: n.Failed,
		Error: short(n.Error, 300), Kind: short(cmp.Or(n.Type, n.Mime), 100), Bytes: n.Size, Cached: n.Cached, Mocked: n.Mocked, More: [][2]string{},
	}
	if n.Began != 0 && n.At >= n.Began {
		r.Ms = round(n.At - n.Began)
	}
	say := func(name, value string) {
		if value != "" {
			r.More = append(r.More, [2]string{name, value})
		}
	}
	say("address", r.URL)
	if n.Status > 0 {
		say("status", strconv.Itoa(n.Status))
	}
	say("error", r.Error)
	say("kind", short(n.Type, 100))
	say("type", short(n.Mime, 200))
	say("protocol", short(n.Protocol, 40))
	if n.Size > 0 {
		say("size", fmt.Sprintf("%d bytes", n.Size))
	}
	if n.Tab > 0 {
		say("tab", strconv.Itoa(n.Tab))
	}
	if t := n.Timing; t != nil {
		for _, part := range []struct {
			name string
			ms   float64
		}{{"name lookup", t.DNS}, {"connecting", t.Connect}, {"TLS", t.TLS}, {"waiting", t.Wait}, {"receiving", t.Receive}} {
			if part.ms > 0 {
				say(part.name, strconv.FormatFloat(part.ms, 'f', -1, 64)+" ms")
			}
		}
	}
	return r
}

// frames reads the protocol log, where the trace has one.
func (b *builder) frames(s *Source) {
	f, err := openFile(s.files, trace.Wire)
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 0, 64<<10), 32<<20)
	at, left := 0.0, 0
	for lines.Scan() {
		line := lines.Text()
		if seconds, ok := strings.CutPrefix(line, "# t="); ok {
			if t, err := strconv.ParseFloat(seconds, 64); err == nil {
				at = t * 1000
				continue
			}
		}
		dir, text, ok := strings.Cut(line, " ")
		if !ok || len(dir) != 1 || !strings.Contains("><#", dir) {
			continue
		}
		if len(b.wire) == maxFrames {
			left++
			continue
		}
		b.wire = append(b.wire, frame{at, b.at(at), dir, plain(text, maxLine)})
	}
	if left > 0 {
		b.note("Of %d protocol messages the first %d are shown; %s holds them all.", left+maxFrames, maxFrames, trace.Wire)
	}
	slices.SortStableFunc(b.wire, func(x, y frame) int { return cmp.Compare(x.Action, y.Action) })
	b.index.Wire = len(b.wire) > 0
}

package fakebrowser

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"duet/bidi"
	"duet/internal/wirelog"

	"github.com/goccy/go-json"
)

// capabilitiesNote begins the comment that carries the capabilities of the session
// of a log which was made before the connection, by a driver's HTTP interface.
const capabilitiesNote = "capabilities: "

// CapabilitiesNote is the comment that makes a log whose session a driver made
// replayable over a socket.
func CapabilitiesNote(capabilities []byte) string { return capabilitiesNote + string(capabilities) }

// Serve is a browser at a local address: it plays the log, anew and leniently, to
// each client that connects by WebSocket, until ctx ends. Clients that make their
// own session get the one of the log's capabilities comment.
func Serve(ctx context.Context, l net.Listener, log wirelog.Log, o Options) error {
	o.Lenient = true
	if capabilities := capabilitiesOf(log); capabilities != nil {
		log = append(sessionOf(capabilities), log...)
	}
	var clients sync.WaitGroup
	server := &http.Server{
		ReadHeaderTimeout: 10 * time.Second,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			client, err := bidi.Accept(w, r)
			if err != nil {
				return // it was answered
			}
			clients.Go(func() { relay(ctx, client, New(log, o)) })
		}),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	err := server.Serve(l)
	clients.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// relay carries frames both ways until either side ends.
func relay(ctx context.Context, client bidi.Transport, b *Browser) {
	ctx, cancel := context.WithCancel(ctx)
	var out sync.WaitGroup
	out.Go(func() {
		defer cancel()
		for {
			frame, err := b.Read(ctx)
			if err != nil || client.Write(ctx, frame) != nil {
				return
			}
		}
	})
	for {
		frame, err := client.Read(ctx)
		if err != nil || b.Write(ctx, frame) != nil {
			break
		}
	}
	cancel()
	out.Wait()
	_ = client.Close() // the other side may be gone
}

// capabilitiesOf returns the capabilities that the log's comment carries, unless the
// log makes its session itself.
func capabilitiesOf(log wirelog.Log) []byte {
	var found []byte
	for _, e := range log {
		if e.Kind == wirelog.Note {
			if text, ok := strings.CutPrefix(string(e.Text), capabilitiesNote); ok && json.Valid([]byte(text)) {
				found = []byte(text)
			}
		} else if _, method, _ := wirelog.SplitID(e.Text); method == "session.new" {
			return nil
		}
	}
	return found
}

// sessionOf is the beginning of a log that makes a session.
func sessionOf(capabilities []byte) wirelog.Log {
	reply := `{"type":"success","id":0,"result":{"sessionId":"replay","capabilities":` + string(capabilities) + `}}`
	return wirelog.Log{
		{Kind: wirelog.Sent, Text: []byte(`{"id":0,"method":"session.new","params":{}}`)},
		{Kind: wirelog.Arrived, Text: []byte(reply)},
	}
}

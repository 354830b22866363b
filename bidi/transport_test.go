package bidi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"duet/bidi"
)

// dial returns both ends of a real socket.
func dial(t *testing.T, o bidi.DialOptions) (client, server bidi.Transport) {
	t.Helper()
	accepted := make(chan bidi.Transport, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if transport, err := bidi.Accept(w, r); err == nil {
			accepted <- transport
		}
	}))
	t.Cleanup(s.Close)
	client, err := bidi.Dial(soon(t), "ws"+strings.TrimPrefix(s.URL, "http"), o)
	if err != nil {
		t.Fatal(err)
	}
	return client, <-accepted
}

// Frames of many megabytes pass both ways.
func TestLargeFrames(t *testing.T) {
	client, server := dial(t, bidi.DialOptions{})
	echoed := make(chan error, 1)
	go func() {
		frame, err := server.Read(soon(t))
		if err == nil {
			err = server.Write(soon(t), frame)
		}
		echoed <- err
	}()
	big := []byte(`"` + strings.Repeat("x", 8<<20) + `"`)
	if err := client.Write(soon(t), big); err != nil {
		t.Fatal(err)
	}
	got, err := client.Read(soon(t))
	if err != nil || len(got) != len(big) {
		t.Errorf("Read = %d bytes, %v", len(got), err)
	}
	if err := <-echoed; err != nil {
		t.Error(err)
	}
	shut(t, client, server)
}

// shut closes both ends as a connection does: one says goodbye, the other reads it.
func shut(t *testing.T, client, server bidi.Transport) {
	t.Helper()
	gone := make(chan error, 1)
	go func() {
		_, err := server.Read(soon(t))
		gone <- err
	}()
	_ = client.Close()
	<-gone
	_ = server.Close()
}

// A frame over the read limit ends the connection with an error.
func TestReadLimit(t *testing.T) {
	client, server := dial(t, bidi.DialOptions{ReadLimit: 1000})
	gone := make(chan error, 1)
	go func() {
		_ = server.Write(soon(t), []byte(strings.Repeat("x", 2000)))
		_, err := server.Read(soon(t))
		gone <- err
	}()
	if _, err := client.Read(soon(t)); err == nil {
		t.Error("the frame was read")
	}
	<-gone
	_ = server.Close()
	_ = client.Close()
}

// The peer's goodbye is told from a broken socket.
func TestTheGoodbyeOfThePeer(t *testing.T) {
	client, server := dial(t, bidi.DialOptions{})
	c := bidi.NewConn(client, bidi.Options{})
	_ = server.Close()
	<-c.Done()
	var goodbye *bidi.CloseError
	if !errors.As(c.Err(), &goodbye) || goodbye.Code != 1000 {
		t.Errorf("Err = %v", c.Err())
	}
	_ = c.Close()
}

// A page in a browser cannot connect to what we serve.
func TestPagesMayNotConnect(t *testing.T) {
	r := httptest.NewRequest(http.MethodGet, "/session", nil)
	r.Header.Set("Origin", "https://example.com")
	w := httptest.NewRecorder()
	if _, err := bidi.Accept(w, r); err == nil || w.Code != http.StatusForbidden {
		t.Errorf("Accept = %v, status %d", err, w.Code)
	}
}

// An address where nobody listens is an error that names it.
func TestDialNobody(t *testing.T) {
	ctx, cancel := context.WithCancel(soon(t))
	defer cancel()
	_, err := bidi.Dial(ctx, "ws://127.0.0.1:1/session", bidi.DialOptions{})
	if err == nil || !strings.Contains(err.Error(), "ws://127.0.0.1:1/session") {
		t.Errorf("Dial = %v", err)
	}
}

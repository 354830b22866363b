package app

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"duet/internal/sock"
)

// pipe is both ends of a connection to a daemon.
func pipe(t *testing.T) (client, server *net.UnixConn) {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: t.TempDir() + "/s", Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	dialed, err := net.DialUnix("unix", nil, l.Addr().(*net.UnixAddr))
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := l.AcceptUnix()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dialed.Close(); accepted.Close() })
	return dialed, accepted
}

func daemonForTest(t *testing.T) *daemon {
	log := slog.New(slog.DiscardHandler)
	_, stop := context.WithCancel(t.Context())
	return &daemon{build: build(), idle: time.Minute, log: log, stop: stop, sessions: &sessions{log: log, stderr: io.Discard, root: t.TempDir(), open: map[string]*member{}}}
}

// Whom the end of a daemon meets at its door is sent to the next one, and nothing of
// what it asked was done; whoever is in keeps an idle daemon from ending.
func TestADaemonThatEndsLetsNobodyIn(t *testing.T) {
	for name, end := range map[string]func(*daemon){
		"idle":         func(d *daemon) { d.idleFor() },
		"stopped":      func(d *daemon) { d.end() },
		"all sessions": func(d *daemon) { d.sessions.closeAll(t.Context()) },
	} {
		d := daemonForTest(t)
		end(d)
		client, server := pipe(t)
		go func() {
			_ = d.serveMCP(t.Context(), server, bufio.NewReader(server), opening{Duet: 1, Version: d.build, Session: "default"})
		}()
		in := bufio.NewReader(client)
		line, err := in.ReadString('\n')
		if err != nil || !strings.Contains(line, `"restart":true`) || len(d.sessions.open) != 0 {
			t.Errorf("%s: %q, %v, %d sessions", name, line, err, len(d.sessions.open))
		}
	}
	d := daemonForTest(t)
	if !d.enter() || d.idleFor() != d.idle || !d.enter() || d.yields() {
		t.Error("a daemon that is in use ends")
	}
	d.leave()
	if !d.yields() || d.enter() {
		t.Error("a daemon that made room for another version lets somebody in")
	}
}

// Commands that come while the daemon keeps ending by itself are all served.
func TestCommandsOutliveTheIdleExit(t *testing.T) {
	inProject(t)
	t.Setenv("DUET_IDLE_EXIT", "1ms")
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for range 10 {
				if r := runApp(t, "", "agree"); r.status != 0 {
					t.Errorf("%+v", r)
				}
			}
		})
	}
	all.Wait()
	p, err := place()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := sock.Released(ctx, p); err != nil {
		t.Errorf("it lives on: %v", err)
	}
}

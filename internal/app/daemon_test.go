package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"duet/internal/sock"
)

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The first command starts the daemon, and commands that come at once share it.
func TestCommandsShareADaemon(t *testing.T) {
	inProject(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			r := runApp(t, "", "echo", "a", fmt.Sprint(i), "--json")
			want := fmt.Sprintf(`{"ok":true,"result":{"selector":"a","value":"%d"},"tokens_est":12}`+"\n", i)
			if r.status != 0 || r.stdout != want || r.stderr != "" {
				t.Errorf("status %d, stdout %q, stderr %q; want %q", r.status, r.stdout, r.stderr, want)
			}
		})
	}
	all.Wait()
	if r := runApp(t, "", "agree", "--no"); r.status != 1 || r.stdout != `{"yes":false}`+"\n" {
		t.Errorf("a no: %+v", r)
	}
	if r := runApp(t, "", "daemon", "status", "--json"); !strings.Contains(r.stdout, `"running":true`) || !strings.Contains(r.stdout, `"name":"default"`) {
		t.Errorf("status: %+v", r)
	}
	if r := runApp(t, "", "session", "close"); r.stdout != "closed default\n" {
		t.Errorf("close: %+v", r)
	}
	if r := runApp(t, "", "session", "close", "nosuch"); r.status != 2 || !strings.Contains(r.stderr, "there is no session nosuch") {
		t.Errorf("close one that is not there: %+v", r)
	}
	if r := runApp(t, "", "session", "close"); r.status != 0 {
		t.Errorf("close what is closed: %+v", r)
	}
	if r := runApp(t, "", "artifacts", "list", "nosuch"); r.status != 2 {
		t.Errorf("files of a session that is not there: %+v", r)
	}
	if r := runApp(t, "", "session", "list"); r.stdout != "sessions: none\n" {
		t.Errorf("list: %+v", r)
	}
	if r := runApp(t, "", "daemon", "stop"); r.stdout != "stopped\n" {
		t.Errorf("stop: %+v", r)
	}
	if r := runApp(t, "", "daemon", "stop"); r.stdout != "not running\n" || r.status != 0 {
		t.Errorf("stop again: %+v", r)
	}
}

// A ninth session is refused where the eight are in use, and they are named. One that
// has neither a browser nor a connection gives its place away, and what starts no
// browser needs none.
func TestNineSessions(t *testing.T) {
	inProject(t)
	s := &sessions{log: slog.New(slog.DiscardHandler), stderr: io.Discard, open: map[string]*member{}}
	defer s.closeAll(t.Context())
	join := func(name string, idle bool) (*member, *refusal) {
		t.Helper()
		m, no, err := s.join(&opening{Session: name, Idle: idle})
		if err != nil {
			t.Fatal(err)
		}
		return m, no
	}
	var held []*member
	for i := range maxSessions {
		m, no := join(fmt.Sprintf("s%d", i), false)
		if no != nil {
			t.Fatal(no)
		}
		held = append(held, m)
	}
	if _, no := join("s9", false); no == nil || !strings.Contains(no.Message, "s0, s1") {
		t.Errorf("the ninth: %+v", no)
	}
	if m, no := join("s9", true); no != nil || m == nil || len(s.open) != maxSessions || s.open["s9"] != nil {
		t.Errorf("the ninth that only asks: %+v, %d sessions", no, len(s.open))
	}
	s.leave(held[3], &opening{})
	if _, no := join("s9", false); no != nil || s.open["s3"] != nil || len(s.open) != maxSessions {
		t.Errorf("the ninth where one is left: %+v", no)
	}
	if _, no := join("s3", false); no == nil {
		t.Error("a tenth is let in")
	}
	for i := range 2 * maxSessions {
		if r := runApp(t, "", "agree", "--session", fmt.Sprintf("t%d", i)); r.status != 0 {
			t.Fatalf("%+v", r)
		}
	}
}

// A daemon of another version ends where nobody uses it, and the call is served
// by its successor.
func TestAnotherVersionIsReplaced(t *testing.T) {
	inProject(t)
	if r := runApp(t, "", "daemon", "start"); r.stdout != "started\n" {
		t.Fatalf("start: %+v", r)
	}
	p, err := place()
	if err != nil {
		t.Fatal(err)
	}
	c, err := sock.Dial(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, g, err := greet(t.Context(), c, opening{Duet: 1, Version: "0.0.1", Mode: modeMCP, Session: "default"}, nil)
	if err != nil || !g.Restart {
		t.Fatalf("greeting %+v, %v; want a restart", g, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := sock.Released(ctx, p); err != nil {
		t.Fatal(err)
	}
	if r := runApp(t, "", "agree"); r.status != 0 {
		t.Errorf("after it: %+v", r)
	}
}

// What is no opening is refused in words, and the daemon lives on.
func TestStrangersAtTheSocket(t *testing.T) {
	inProject(t)
	runApp(t, "", "daemon", "start")
	p, err := place()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"GET / HTTP/1.1\r\n\r\n", "{}\n", `{"duet":2,"mode":"mcp"}` + "\n", `{"duet":1,"mode":"fly"}` + "\n", strings.Repeat("x", openingBytes+10)} {
		c, err := sock.Dial(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(c, text)
		line, readErr := bufio.NewReader(c).ReadString('\n')
		if err == nil && readErr == nil && !strings.Contains(line, `"error"`) {
			t.Errorf("%.20q was answered %q", text, line)
		}
		c.Close()
	}
	if r := runApp(t, "", "agree"); r.status != 0 {
		t.Errorf("after them: %+v", r)
	}
}

// A daemon that nobody needs ends by itself.
func TestIdleExit(t *testing.T) {
	inProject(t)
	t.Setenv("DUET_IDLE_EXIT", "80ms")
	if r := runApp(t, "", "agree"); r.status != 0 {
		t.Fatalf("%+v", r)
	}
	p, err := place()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := sock.Released(ctx, p); err != nil {
		t.Errorf("it lives on: %v", err)
	}
	if _, err := sock.Dial(t.Context(), p); !errors.Is(err, sock.ErrNone) {
		t.Errorf("Dial = %v", err)
	}
}

// duet mcp --session relays a whole conversation, and ends with its client.
func TestRelay(t *testing.T) {
	inProject(t)
	conversation := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser_echo","arguments":{"selector":"a","value":"b"}}}
`
	for _, args := range [][]string{{"mcp"}, {"mcp", "--session", "work"}} {
		r := runApp(t, conversation, args...)
		lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
		if r.status != 0 || len(lines) != 2 || !strings.Contains(lines[0], `"protocolVersion":"2025-11-25"`) || !strings.Contains(lines[1], `"value":"b"`) {
			t.Errorf("%v: status %d\n%s%s", args, r.status, r.stdout, r.stderr)
		}
	}
	if r := runApp(t, "", "session", "list"); !strings.Contains(r.stdout, "session work:") {
		t.Errorf("sessions: %+v", r)
	}
}

// Several commands in one go: all are read before the first runs.
func TestRunScripts(t *testing.T) {
	inProject(t)
	r := runApp(t, "# a script\necho a 'b c'\n\nagree\n", "run")
	if r.status != 0 || r.stdout != `{"selector":"a","value":"b c"}`+"\n"+`{"yes":true}`+"\n" {
		t.Errorf("%+v", r)
	}
	r = runApp(t, "echo a b\nagre\n", "run")
	if r.status != 2 || r.stdout != "" || !strings.Contains(r.stderr, "line 2: there is no browser command agre; nothing was run") {
		t.Errorf("a typo: %+v", r)
	}
	r = runApp(t, "agree --no\nagree\n", "run")
	if r.status != 1 || r.stdout != `{"yes":false}`+"\n" {
		t.Errorf("a no: %+v", r)
	}
	r = runApp(t, "agree --no\nagree\n", "run", "--continue-on-error", "--ephemeral")
	if r.status != 1 || r.stdout != `{"yes":false}`+"\n"+`{"yes":true}`+"\n" {
		t.Errorf("to the end: %+v", r)
	}
}

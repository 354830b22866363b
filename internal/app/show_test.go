package app

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"duet/tools"
)

// aTrace puts the example where a session would have left it, under another name.
func aTrace(t *testing.T, root, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(exampleTrace)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, "duet-20260504-100000-1", dir)
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(path, "trace.ndjson"), strings.Replace(string(text), `"name":"checkout"`, `"name":"`+name+`"`, 1))
	return path
}

var exampleTrace, _ = filepath.Abs("../trace/testdata/example/trace.ndjson")

func show(t *testing.T, args ...string) outcome {
	t.Helper()
	return runIn(t, &App{Commands: tools.All()}, strings.NewReader(""), append([]string{"trace", "show"}, args...)...)
}

// A trace is found by its path, by the name that it was started under, or as the
// newest; what is none is told in one line.
func TestShowFindsTheTrace(t *testing.T) {
	inProject(t)
	root := t.TempDir()
	t.Setenv("DUET_ARTIFACTS_DIR", root)
	if r := show(t, "--html", "x.html"); r.status != 2 || !strings.Contains(r.stderr, "there is no trace yet") {
		t.Errorf("without any: status %d, %s", r.status, r.stderr)
	}
	first := aTrace(t, root, "0001-trace-one", "One")
	aTrace(t, root, "0002-trace-two", "two")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(first, "trace.ndjson"), old, old); err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{"": "<title>two – duet trace", "One": "<title>One – duet trace", first: "<title>One – duet trace"} {
		args := []string{"--html", "out.html"}
		if arg != "" {
			args = append(args, arg)
		}
		r := show(t, args...)
		page, err := os.ReadFile("out.html")
		if r.status != 0 || err != nil || !strings.Contains(string(page), want) {
			t.Errorf("trace show %q: status %d %s%v", arg, r.status, r.stderr, err)
		}
		if full, _ := filepath.Abs("out.html"); r.stdout != full+"\n" {
			t.Errorf("trace show %q printed %q, want the file's path", arg, r.stdout)
		}
	}
	if info, err := os.Stat("out.html"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the page's mode is %v", info.Mode())
	}
	for _, args := range [][]string{{"three"}, {"no/such/place"}, {"--html", "."}, {"--html", "a.html", "--once"}, {"--port", "70000"}, {"one", "two", "three"}} {
		if r := show(t, args...); r.status != 2 || strings.Count(r.stderr, "error: ") != 1 || r.stdout != "" {
			t.Errorf("trace show %q: status %d, %q, %q", args, r.status, r.stdout, r.stderr)
		}
	}
	writeFile(t, "text.zip", "no archive")
	if r := show(t, "text.zip"); r.status != 2 || !strings.Contains(r.stderr, "is no archive") {
		t.Errorf("a file that is no trace: status %d, %s", r.status, r.stderr)
	}
	left, err := filepath.Glob(".duet-*")
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// serving starts the server and returns its address and a function that waits for
// its end.
func serving(t *testing.T, args ...string) (string, context.CancelFunc, func() int) {
	t.Helper()
	in, out := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	a := &App{Stdin: strings.NewReader(""), Stdout: out, Stderr: io.Discard, Commands: tools.All()}
	done := make(chan int, 1)
	go func() {
		done <- a.Run(ctx, append([]string{"trace", "show", filepath.Dir(exampleTrace)}, args...))
		out.Close()
	}()
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line), cancel, func() int { return <-done }
}

// The page goes to whoever has its address, and to nobody else; stopping is no failure.
func TestShowServes(t *testing.T) {
	inProject(t)
	url, stop, ended := serving(t)
	host := strings.Split(url, "/")[2]
	ask := func(method, url, host string) (int, string, http.Header) {
		r, err := http.NewRequest(method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body), answer.Header
	}
	if !strings.HasPrefix(url, "http://127.0.0.1:") || len(strings.Split(url, "/")[3]) < 26 {
		t.Errorf("the address is %s", url)
	}
	status, body, head := ask("GET", url, host)
	if status != 200 || !strings.Contains(body, "checkout – duet trace") {
		t.Errorf("the page: %d, %.200s", status, body)
	}
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY",
	} {
		if !strings.Contains(head.Get(name), want) {
			t.Errorf("%s: %q, want %s", name, head.Get(name), want)
		}
	}
	for _, c := range [][3]string{
		{"GET", "http://" + host + "/", host}, {"GET", "http://" + host + "/favicon.ico", host}, {"GET", strings.TrimSuffix(url, "/"), host},
		{"GET", url + "x", host}, {"GET", url, "evil.test"}, {"GET", url, "localhost"}, {"POST", url, host}, {"DELETE", url, host},
	} {
		if status, body, _ := ask(c[0], c[1], c[2]); status != 404 || strings.Contains(body, "checkout") {
			t.Errorf("%v: %d %.100s", c, status, body)
		}
	}
	stop()
	if status := ended(); status != 0 {
		t.Errorf("status %d after it was stopped", status)
	}
}

// With --once it ends by itself, when the page has been fetched whole.
func TestShowOnce(t *testing.T) {
	inProject(t)
	url, stop, ended := serving(t, "--once")
	defer stop()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.HasSuffix(string(body), "</html>\n") {
		t.Errorf("the page is not whole: %v", err)
	}
	http.DefaultClient.CloseIdleConnections()
	if status := ended(); status != 0 {
		t.Errorf("status %d", status)
	}
}

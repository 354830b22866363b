package mcp_test

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

var suite = flag.Bool("suite", false, "run the official suite and the Inspector; needs Node 22 and, at first, npm's registry")

// The versions are pinned here alone.
const (
	conformancePackage = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
	inspectorPackage   = "@modelcontextprotocol/inspector@2.12.0"
)

var revisions = []string{"2025-11-25", "2026-07-28"}

// The official suite passes on the stack that serves duet: with the suite's own
// tools, and with duet's. What fails is listed, and what is listed fails.
func TestSuite(t *testing.T) {
	modules := packages(t, conformancePackage)
	runner := filepath.Join(modules, "@modelcontextprotocol/conformance/dist/index.js")
	fixtures := build(t, "mcp-fixtures")
	for _, c := range []struct {
		name  string
		args  []string
		lists []string
	}{
		{"fixtures", nil, []string{"baseline.yml"}},
		{"duet", []string{"-product"}, []string{"baseline.yml", "fixtures.yml"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := serve(t, fixtures, c.args...)
			expected := filepath.Join(t.TempDir(), "expected.yml")
			text := "server:\n"
			for _, list := range c.lists {
				for _, name := range entries(t, list) {
					text += "  - " + name + "\n"
				}
			}
			if err := os.WriteFile(expected, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, revision := range revisions {
				t.Run(revision, func(t *testing.T) {
					out, err := run(t, "node", runner, "server", "--url", url, "--requirements", revision,
						"--expected-failures", expected, "-o", t.TempDir())
					_, summary, _ := strings.Cut(out, "=== SUMMARY ===")
					if err != nil {
						t.Fatalf("%v\n%s", err, orAll(summary, out))
					}
					for line := range strings.Lines(summary) {
						if strings.HasPrefix(line, "Total") {
							t.Log(strings.TrimSpace(line))
						}
					}
				})
			}
		})
	}
}

// The Inspector, a client that others wrote, lists and calls tools over stdio.
func TestInspector(t *testing.T) {
	modules := packages(t, inspectorPackage)
	duet := build(t, "duet")
	inspector := filepath.Join(modules, ".bin/mcp-inspector")
	out, err := run(t, inspector, "--cli", duet, "mcp", "--method", "tools/list")
	if err != nil || !strings.Contains(out, `"browser_status"`) || !strings.Contains(out, `"readOnlyHint": true`) {
		t.Errorf("tools/list: %v\n%s", err, out)
	}
	out, err = run(t, inspector, "--cli", duet, "mcp", "--method", "tools/call", "--tool-name", "browser_status")
	if err != nil || !strings.Contains(out, `"structuredContent"`) || strings.Contains(out, `"isError": true`) {
		t.Errorf("tools/call: %v\n%s", err, out)
	}
}

// packages installs npm packages outside the repository, once, and returns the
// folder of modules. It skips where the suite was not asked for.
func packages(t *testing.T, name string) string {
	t.Helper()
	if !*suite {
		t.Skip("SKIPPED: the official MCP suite; run it with: just mcp")
	}
	out, err := run(t, "node", "--version")
	major, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(out), "v"), ".")
	if n, _ := strconv.Atoi(major); err != nil || n < 22 {
		t.Fatalf("the suite needs Node 22 or newer on PATH, found %q; scripts/test mcp installs it", strings.TrimSpace(out))
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "duet", "mcp-suite", strings.NewReplacer("/", "-", "@", "").Replace(name))
	modules := filepath.Join(dir, "node_modules")
	if _, err := os.Stat(filepath.Join(dir, "installed")); err == nil {
		return modules
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := run(t, "npm", "install", "--no-fund", "--no-audit", "--prefix", dir, name); err != nil {
		t.Fatalf("npm install %s: %v\n%s", name, err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "installed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return modules
}

// build builds a command of this module and returns its path.
func build(t *testing.T, command string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), command)
	if out, err := run(t, "go", "build", "-o", path, "duet/cmd/"+command); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// serve starts a server over HTTP and returns its address; it ends with the test.
func serve(t *testing.T, path string, args ...string) string {
	t.Helper()
	cmd := exec.Command(path, append(args, "-http", "127.0.0.1:0")...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
		for lines.Scan() {
			t.Log(lines.Text())
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	})
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "listening "); ok {
			return url
		}
		t.Log(lines.Text())
	}
	t.Fatal("the server did not start")
	return ""
}

func run(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return string(out), err
}

func orAll(part, all string) string {
	if part != "" {
		return part
	}
	return all
}

//go:build linux

package sock_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"duet/internal/fault"
	"duet/internal/sock"
)

// TestMain is also the program that the tests start: a daemon that says its
// process id to whoever connects, and a client.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "serve":
			os.Exit(serve(os.Args[2]))
		case "knock":
			os.Exit(knock(os.Args[2]))
		}
	}
	os.Exit(m.Run())
}

func serve(project string) int {
	p, err := sock.At(project)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	l, err := sock.Listen(ctx, p)
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Println("serving")
	if err := sock.Ready(); err != nil {
		fmt.Println(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return 0
		}
		fmt.Fprintln(c, os.Getpid())
		c.Close()
	}
}

func knock(path string) int {
	c, err := net.Dial("unix", path)
	if err != nil {
		return 3
	}
	text, _ := io.ReadAll(c)
	if len(text) > 0 {
		return 4
	}
	return 0
}

// place makes a project with a runtime directory of its own.
func place(t *testing.T) (project string, p sock.Place) {
	t.Helper()
	t.Setenv("DUET_RUNTIME_DIR", filepath.Join(t.TempDir(), "run"))
	project = t.TempDir()
	p, err := sock.At(project)
	if err != nil {
		t.Fatal(err)
	}
	return project, p
}

// ask connects, starting a daemon where there is none, and returns its pid.
func ask(t *testing.T, project string, p sock.Place) (int, bool) {
	t.Helper()
	c, started, err := sock.Connect(t.Context(), p, []string{"serve", project})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(t, p, pid) })
	return pid, started
}

func kill(t *testing.T, p sock.Place, pid int) {
	t.Helper()
	if !sock.Held(p) {
		return
	}
	_ = syscall.Kill(pid, syscall.SIGKILL)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := sock.Released(ctx, p); err != nil {
		t.Errorf("the place is still held: %v", err)
	}
}

// Twenty clients that find no daemon end up at one.
func TestOneDaemonForManyStarters(t *testing.T) {
	project, p := place(t)
	var mu sync.Mutex
	pids, starts := map[int]int{}, 0
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			pid, started := ask(t, project, p)
			mu.Lock()
			defer mu.Unlock()
			pids[pid]++
			if started {
				starts++
			}
		})
	}
	all.Wait()
	if len(pids) != 1 || starts != 1 {
		t.Errorf("%d daemons, %d starts; want 1 and 1", len(pids), starts)
	}
}

// What a killed daemon leaves behind hinders nothing, and its successor leads a
// session of its own and writes the log.
func TestStaleSocket(t *testing.T) {
	project, p := place(t)
	first, _ := ask(t, project, p)
	kill(t, p, first)
	if _, err := os.Lstat(p.Socket); err != nil {
		t.Fatalf("a killed daemon leaves its socket: %v", err)
	}
	if _, err := sock.Dial(t.Context(), p); !errors.Is(err, sock.ErrNone) {
		t.Errorf("Dial = %v, want ErrNone", err)
	}
	second, started := ask(t, project, p)
	if second == first || !started {
		t.Errorf("pid %d, started %v", second, started)
	}
	sid, err := syscallGetsid(second)
	if err != nil || sid != second {
		t.Errorf("session %d of daemon %d, %v", sid, second, err)
	}
	log, _ := os.ReadFile(p.Log)
	if strings.Count(string(log), "serving") != 2 {
		t.Errorf("log = %q", log)
	}
}

func syscallGetsid(pid int) (int, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strconv.Atoi(strings.Fields(rest)[3])
}

// While a daemon lives, nobody takes its place or its socket.
func TestTaken(t *testing.T) {
	project, p := place(t)
	pid, _ := ask(t, project, p)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := sock.Listen(ctx, p); !errors.Is(err, sock.ErrTaken) {
		t.Errorf("Listen = %v, want ErrTaken", err)
	}
	if again, _ := ask(t, project, p); again != pid {
		t.Errorf("daemon %d, want %d", again, pid)
	}
}

// The socket is 0600 in directories of 0700.
func TestModes(t *testing.T) {
	project, p := place(t)
	ask(t, project, p)
	for path, want := range map[string]os.FileMode{p.Socket: 0o600, p.Dir: 0o700, filepath.Dir(p.Dir): 0o700, p.Log: 0o600} {
		info, err := os.Lstat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
}

// A path longer than the kernel's address has room for works.
func TestLongPath(t *testing.T) {
	t.Setenv("DUET_RUNTIME_DIR", filepath.Join(t.TempDir(), strings.Repeat("long", 30), strings.Repeat("path", 30)))
	project := t.TempDir()
	p, err := sock.At(project)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, project, p)
}

// A runtime directory that is not ours alone is refused, each with its reason.
func TestPlantedDirectories(t *testing.T) {
	base := t.TempDir()
	real := filepath.Join(base, "real")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	link, open, file := filepath.Join(base, "link"), filepath.Join(base, "open"), filepath.Join(base, "file")
	if err := errors.Join(os.Symlink(real, link), os.Mkdir(open, 0o700), os.Chmod(open, 0o755), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{link: "is a symbolic link", open: "is open to other users", file: "is not a directory"}
	if os.Geteuid() == 0 {
		theirs := filepath.Join(base, "theirs")
		if err := errors.Join(os.Mkdir(theirs, 0o700), os.Chown(theirs, 65534, 65534)); err != nil {
			t.Fatal(err)
		}
		cases[theirs] = "belongs to another user"
	}
	for dir, want := range cases {
		t.Setenv("DUET_RUNTIME_DIR", dir)
		_, err := sock.At(base)
		if !errors.Is(err, fault.StateInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("At with %s = %v, want %q", filepath.Base(dir), err, want)
		}
		if hint := fault.From(err).Hint; strings.HasPrefix(hint, "close it to them: chmod 700 "+open) != (dir == open) {
			t.Errorf("%s: %s", filepath.Base(dir), hint)
		}
	}
}

// Another user is hung up on unheard, even where the file modes let him in.
func TestAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: needs root, to become another user")
	}
	public, err := os.MkdirTemp("", "duet-sock-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(public) })
	t.Setenv("DUET_RUNTIME_DIR", filepath.Join(public, "run"))
	project := t.TempDir()
	p, err := sock.At(project)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, project, p)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	client := filepath.Join(public, "client")
	if err := errors.Join(os.WriteFile(client, text, 0o755), os.Chmod(client, 0o755), os.Chmod(public, 0o755),
		os.Chmod(filepath.Dir(p.Dir), 0o755), os.Chmod(p.Dir, 0o755), os.Chmod(p.Socket, 0o777)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(client, "knock", p.Socket)
	cmd.Dir = public
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("knock: %v %s (3: could not connect, 4: was heard)", err, out)
	}
}

// The root is the nearest ancestor that looks like a project, by its real path.
func TestRoot(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	deep := filepath.Join(base, "repo", "web", "src")
	if err := errors.Join(os.MkdirAll(deep, 0o755), os.Mkdir(filepath.Join(base, "repo", ".git"), 0o755),
		os.WriteFile(filepath.Join(base, "repo", "web", "package.json"), nil, 0o644),
		os.Symlink(deep, filepath.Join(base, "short"))); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		deep:                         filepath.Join(base, "repo", "web"),
		filepath.Join(base, "short"): filepath.Join(base, "repo", "web"),
		filepath.Join(base, "repo"):  filepath.Join(base, "repo"),
	} {
		if got, err := sock.Root(dir); err != nil || got != want {
			t.Errorf("Root(%s) = %s, %v; want %s", dir, got, err, want)
		}
	}
}

// Orphaned closes when the parent ends.
func TestOrphaned(t *testing.T) {
	select {
	case <-sock.Orphaned():
		t.Error("this test's parent lives")
	default:
	}
}

//go:build linux

package launch

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"duet/internal/fault"
)

// A kept profile can be in use.
func TestAKeptProfileInUse(t *testing.T) {
	o := fake(t, "inuse")
	o.ProfileDir = t.TempDir()
	_, err := Start(t.Context(), o)
	if !errors.Is(err, fault.LaunchFailed) || !strings.Contains(err.Error(), "profile is in use") {
		t.Errorf("err = %v", err)
	}
}

// A kept profile has one session at a time; the second is told who has the first.
func TestKeptProfileIsLocked(t *testing.T) {
	o := fake(t, "good")
	o.ProfileDir = filepath.Join(t.TempDir(), "work")
	p, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(context.Background())
	_, err = Start(t.Context(), o)
	if !errors.Is(err, fault.LaunchFailed) || !strings.Contains(err.Error(), "in use by duet, process "+strconv.Itoa(os.Getpid())) {
		t.Errorf("second: %v", err)
	}
	_ = p.Close(t.Context())
	p, err = Start(t.Context(), o)
	if err != nil {
		t.Fatal("after Close:", err)
	}
	if _, err := os.Stat(o.ProfileDir); err != nil {
		t.Error(err)
	}
	_ = p.Close(t.Context())
	if _, err := os.Stat(o.ProfileDir); err != nil {
		t.Error("Close removed the profile:", err)
	}
}

// A template is made once, without anything of a site and without following
// links, and fills a fresh profile.
func TestTemplate(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	profile := filepath.Join(dir, "profile")
	files := map[string]string{
		secret: "secret",
		filepath.Join(profile, "startupCache", "a.bin"):    "code",
		filepath.Join(profile, "compatibility.ini"):        "[Compatibility]",
		filepath.Join(profile, "cookies.sqlite"):           "cookie",
		filepath.Join(profile, "storage", "default", "x"):  "data",
		filepath.Join(profile, settingsDB):                 "settings",
		filepath.Join(profile, "prefs.js"):                 "user_pref(\"browser.migration.version\", 1);\nuser_pref(\"x\", 2);\n",
		filepath.Join(profile, "places.sqlite"):            "history",
		filepath.Join(profile, "cache2", "entries", "abc"): "page",
	}
	for name, text := range files {
		_ = os.MkdirAll(filepath.Dir(name), 0o700)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_ = os.Symlink(secret, filepath.Join(profile, "search.json.mozlz4"))
	_ = os.Symlink(secret, filepath.Join(profile, "startupCache", "b.bin"))
	store := filepath.Join(dir, "store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	tm := &template{dir: filepath.Join(store, "1-2-x"), lock: filepath.Join(store, lockName)}
	fresh := filepath.Join(dir, "fresh")
	_ = os.Mkdir(fresh, 0o700)
	if tm.copyTo(fresh) {
		t.Error("a template that is not there was copied")
	}
	tm.fill(profile)
	tm.fill(profile)
	if !tm.copyTo(fresh) {
		t.Fatal("not copied")
	}
	var got []string
	_ = filepath.WalkDir(fresh, func(p string, e os.DirEntry, _ error) error {
		if !e.IsDir() {
			rel, _ := filepath.Rel(fresh, p)
			got = append(got, rel)
		}
		return nil
	})
	if strings.Join(got, " ") != "compatibility.ini prefs.js startupCache/a.bin "+settingsDB {
		t.Errorf("got %q", got)
	}
	if err := os.WriteFile(filepath.Join(profile, settingsDB+"-wal"), []byte("more"), 0o600); err != nil {
		t.Fatal(err)
	}
	part := &template{dir: filepath.Join(store, "1-3-x"), lock: tm.lock}
	part.fill(profile)
	if _, err := os.Stat(filepath.Join(part.dir, settingsDB)); !os.IsNotExist(err) {
		t.Error("a database that is not whole was taken:", err)
	}
}

// What is lent can be read by the browser's user, and what it downloads can be fetched.
func TestLendAndFetch(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root: without it nothing is copied")
	}
	dirs, err := newScratch(nobody, nobody, true)
	if err != nil {
		t.Fatal(err)
	}
	defer dirs.release(false)
	private := filepath.Join(t.TempDir(), "a b.txt")
	if err := os.WriteFile(private, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &Process{dirs: dirs, options: Options{DownloadDir: t.TempDir()}}
	lent, err := p.Lend(private)
	if err != nil || filepath.Base(lent) != "a b.txt" {
		t.Fatal(lent, err)
	}
	cmd := exec.Command("/bin/cat", lent)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.Output(); err != nil || string(out) != "hello" {
		t.Errorf("%q %v", out, err)
	}
	if err := p.takeDownloads(); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command("/bin/sh", "-c", "cd "+p.DownloadDir()+" && echo data > f.txt && ln -s /etc/passwd l.txt")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	got, err := p.Fetch(filepath.Join(p.DownloadDir(), "f.txt"))
	if b, _ := os.ReadFile(got); err != nil || string(b) != "data\n" || filepath.Dir(got) != p.options.DownloadDir {
		t.Errorf("%s %q %v", got, b, err)
	}
	for _, bad := range []string{"l.txt", "../../lock", "none"} {
		if got, err := p.Fetch(filepath.Join(p.DownloadDir(), bad)); err == nil {
			t.Errorf("%s: %s", bad, got)
		}
	}
}

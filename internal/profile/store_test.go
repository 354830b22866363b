package profile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"filippo.io/age"

	"duet/internal/fault"
)

const canary = `{"cookies":[{"value":"canary"}]}`

// Names are bare names.
func TestValidName(t *testing.T) {
	for _, name := range []string{"a", "login", "Login-2_x", strings.Repeat("a", 64)} {
		if !ValidName(name) {
			t.Errorf("%q is no name", name)
		}
	}
	for _, name := range []string{"", ".", "..", "../a", "a/b", `a\b`, "a.json", "-a", "_a", "a b", "a\x00", "é", "c:", "CON", "nul", "com1", "LPT9", strings.Repeat("a", 65)} {
		if ValidName(name) {
			t.Errorf("%q is a name", name)
		}
		s := NewStore(t.TempDir(), Keys{})
		_, err := s.Read(name)
		_, writes := s.Write(name, nil)
		for _, err := range []error{err, writes, s.Delete(name)} {
			if !errors.Is(err, fault.InvalidArgument) {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}

// A state is a file for its owner alone in a directory for its owner alone.
func TestStore(t *testing.T) {
	s := NewStore(filepath.Join(t.TempDir(), "share", "states"), Keys{})
	if all, err := s.List(); err != nil || len(all) != 0 {
		t.Errorf("List = %v, %v", all, err)
	}
	if _, err := s.Read("login"); !errors.Is(err, fault.StateInvalid) {
		t.Errorf("Read of none = %v", err)
	}
	for _, text := range []string{"first", canary} {
		if sealed, err := s.Write("login", []byte(text)); err != nil || sealed {
			t.Fatalf("Write = %v, %v", sealed, err)
		}
		if got, err := s.Read("login"); err != nil || string(got) != text {
			t.Errorf("Read = %q, %v", got, err)
		}
	}
	file := filepath.Join(s.Dir(), "login.json")
	for path, mode := range map[string]os.FileMode{file: 0o600, s.Dir(): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	all, err := s.List()
	if err != nil || len(all) != 1 || all[0].Name != "login" || all[0].Bytes != int64(len(canary)) || all[0].Encrypted {
		t.Errorf("List = %v, %v", all, err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read("login"); !errors.Is(err, fault.StateInvalid) || !strings.Contains(err.Error(), "by others") {
		t.Errorf("Read of what others can read = %v", err)
	}
	if err := s.Delete("login"); err != nil {
		t.Error(err)
	}
	if err := s.Delete("login"); !errors.Is(err, fault.StateInvalid) {
		t.Errorf("Delete of none = %v", err)
	}
}

// A link that was planted under a state's name is not followed, and what was there
// stays where a write cannot be finished.
func TestStoreFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	s := NewStore(filepath.Join(dir, "states"), Keys{})
	if err := os.Mkdir(s.Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(dir, "outside")
	if err := errors.Join(os.WriteFile(outside, []byte("mine"), 0o600), os.Symlink(outside, filepath.Join(s.Dir(), "login.json"))); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read("login"); !errors.Is(err, fault.StateInvalid) {
		t.Errorf("Read through a link = %v", err)
	}
	if _, err := s.Write("login", []byte(canary)); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(outside); err != nil || string(text) != "mine" {
		t.Errorf("outside: %q, %v", text, err)
	}
	// A writer that died left this; it is no state, and in nobody's way.
	if err := os.WriteFile(filepath.Join(s.Dir(), ".login.json.00.tmp"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Read("login"); err != nil || string(got) != canary {
		t.Errorf("Read = %q, %v", got, err)
	}
	if all, err := s.List(); err != nil || len(all) != 1 {
		t.Errorf("List = %v, %v", all, err)
	}
	if err := os.Mkdir(filepath.Join(s.Dir(), "taken.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write("taken", []byte(canary)); !errors.Is(err, fault.StateInvalid) {
		t.Errorf("Write over a directory = %v", err)
	}
	entries, err := os.ReadDir(s.Dir())
	if err != nil || len(entries) != 3 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// Who writes the same name at the same time leaves one of both, whole.
func TestStoreTogether(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{bytes.Repeat([]byte("a"), 1<<20), bytes.Repeat([]byte("b"), 1<<20)}
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			s := NewStore(dir, Keys{})
			if _, err := s.Write("login", texts[i%2]); err != nil {
				t.Error(err)
			}
			if got, err := s.Read("login"); err != nil || !bytes.Equal(got, texts[0]) && !bytes.Equal(got, texts[1]) {
				t.Errorf("Read: %d bytes, %v", len(got), err)
			}
		})
	}
	work.Wait()
}

// With a key a state is readable with the key alone, and no message shows it.
func TestEncryption(t *testing.T) {
	passphraseWork = 10
	defer func() { passphraseWork = 0 }()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	other, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	identity, stranger := write("identity", id.String()+"\n", 0o600), write("stranger", other.String()+"\n", 0o600)
	recipients := write("recipients", "# the team\n"+id.Recipient().String()+"\n", 0o644)
	phrase, wrong := write("phrase", "open sesame\n", 0o600), write("wrong", "close sesame\n", 0o600)
	for _, c := range []struct {
		name         string
		write, reads Keys
		stays        []Keys // that do not open it
	}{
		{"recipients", Keys{Recipients: recipients}, Keys{Identity: identity}, []Keys{{}, {Identity: stranger}, {Passphrase: phrase}}},
		{"identity", Keys{Identity: identity}, Keys{Identity: identity}, []Keys{{Identity: stranger}}},
		{"passphrase", Keys{Passphrase: phrase}, Keys{Passphrase: phrase}, []Keys{{}, {Passphrase: wrong}, {Identity: identity}}},
	} {
		states := filepath.Join(dir, "states-"+c.name)
		s := NewStore(states, c.write)
		if sealed, err := s.Write("login", []byte(canary)); err != nil || !sealed {
			t.Fatalf("%s: %v, %v", c.name, sealed, err)
		}
		raw, err := os.ReadFile(filepath.Join(states, "login.json"))
		if err != nil || bytes.Contains(raw, []byte("canary")) {
			t.Errorf("%s: the file shows it: %v", c.name, err)
		}
		if all, err := s.List(); err != nil || len(all) != 1 || !all[0].Encrypted {
			t.Errorf("%s: List = %v, %v", c.name, all, err)
		}
		if got, err := NewStore(states, c.reads).Read("login"); err != nil || string(got) != canary {
			t.Errorf("%s: Read = %q, %v", c.name, got, err)
		}
		for _, keys := range c.stays {
			if got, err := NewStore(states, keys).Read("login"); !errors.Is(err, fault.StateInvalid) {
				t.Errorf("%s: Read with %+v = %q, %v", c.name, keys, got, err)
			}
		}
		raw[len(raw)-1] ^= 1
		if err := os.WriteFile(filepath.Join(states, "login.json"), raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := NewStore(states, c.reads).Read("login"); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: Read of a damaged one = %v", c.name, err)
		}
	}
	for name, keys := range map[string]Keys{
		"both":     {Recipients: recipients, Passphrase: phrase},
		"none":     {Identity: filepath.Join(dir, "nothing")},
		"junk":     {Identity: phrase},
		"open":     {Passphrase: write("loose", "open sesame", 0o644)},
		"empty":    {Passphrase: write("empty", "\n", 0o600)},
		"not them": {Recipients: identity},
	} {
		s := NewStore(filepath.Join(dir, "none"), keys)
		_, err := s.Write("login", []byte(canary))
		if !errors.Is(err, fault.StateInvalid) || strings.Contains(err.Error(), "sesame") || strings.Contains(err.Error(), "AGE-SECRET") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(s.Dir()); err == nil {
			t.Errorf("%s: something was written", name)
		}
	}
}

// A state that is larger than a file may be is refused, and the one before stays.
func TestAStateHasItsLimit(t *testing.T) {
	s := NewStore(filepath.Join(t.TempDir(), "states"), Keys{})
	if _, err := s.Write("login", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Write("login", make([]byte, MaxState+1)); !errors.Is(err, fault.Quota) {
		t.Errorf("a state that is too large: %v", err)
	}
	if text, err := s.Read("login"); err != nil || string(text) != "{}" {
		t.Errorf("it is %.20q, %v", text, err)
	}
}

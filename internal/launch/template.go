package launch

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"duet/internal/env"
)

// template is a Firefox profile that has been started once, without what any
// site left in it: a start from a copy of it takes about half the time of a
// start from nothing. There is one for each build of the browser. It is filled
// from the first session that ends cleanly, so that no start ever waits for it.
type template struct {
	dir  string // …/firefox-template/KEY; whole where it exists
	lock string
}

// templateFiles are the files of a profile that hold what Firefox compiled or
// found out about itself. What can hold anything of a site is not among them:
// cookies, history, permissions, storage, certificates, caches with site data.
var templateFiles = []string{
	"addonStartup.json.lz4",
	"compatibility.ini",
	"containers.json",
	"extension-preferences.json",
	"extensions.json",
	"search.json.mozlz4",
	"startupCache",
	"storage/permanent/chrome/.metadata-v2",
	settingsDB,
	"xulstore.json",
}

// settingsDB is what Firefox unpacked of the settings that its build carries
// (remote settings, here without a server): the same for every profile.
const settingsDB = "storage/permanent/chrome/idb/3870112724rsegmnoittet-es.sqlite"

// templatePrefs are the beginnings of the preferences in prefs.js that are
// kept: marks of migrations done and of add-ons known.
var templatePrefs = []string{
	"app.normandy.first_run",
	"app.normandy.migrationsApplied",
	"browser.migration.version",
	"browser.newtabpage.storageVersion",
	"browser.pageActions.persistedActions",
	"browser.pagethumbnails.storage_version",
	"browser.proton.toolbar.version",
	"browser.startup.lastColdStartupCheck",
	"browser.termsofuse.prefMigrationCheck",
	"browser.uiCustomization.state",
	"browser.urlbar.quicksuggest.migrationVersion",
	"distribution.iniFile.exists.",
	"extensions.activeThemeID",
	"extensions.blocklist.pingCountVersion",
	"extensions.colorway-builtin-themes-cleanup",
	"extensions.databaseSchema",
	"extensions.lastApp",
	"extensions.lastPlatformVersion",
	"extensions.pendingOperations",
	"extensions.signatureCheckpoint",
	"extensions.webextensions.uuids",
	"gecko.handlerService.defaultHandlersVersion",
	"media.gmp.storage.version.observed",
	"network.cookie.CHIPS.lastMigrateDatabase",
	"nimbus.migrations.",
	"pdfjs.enabledCache.state",
	"pdfjs.migrationVersion",
	"privacy.bounceTrackingProtection.hasMigratedUserActivationData",
	"privacy.sanitize.clearOnShutdown.hasMigratedToNewPrefs",
	"sidebar.visibility",
	"toolkit.profiles.newProfileSubmitted",
}

const templateLimit = 128 << 20 // bytes; a profile that has more is not copied

// templateFor returns the template of a Firefox binary, or nil where no
// directory for it can be had.
func templateFor(binary string) *template {
	base, err := cacheDir()
	if err != nil {
		return nil
	}
	version, build := appINI(binary)
	if version == "" || build == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(binary + "\n" + userJS(firefoxPrefs) + strings.Join(templateFiles, "\n")))
	dir := filepath.Join(base, "firefox-template")
	if os.MkdirAll(dir, 0o700) != nil || private(dir) != nil {
		return nil
	}
	key := version + "-" + build + "-" + hex.EncodeToString(sum[:4])
	return &template{dir: filepath.Join(dir, key), lock: filepath.Join(dir, lockName)}
}

// cacheDir returns the directory for what can be made again.
func cacheDir() (string, error) {
	if dir := env.CacheDir.Value(); dir != "" {
		return dir, nil
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(base, "duet"), nil
}

// copyTo fills a fresh profile and reports whether there was anything to copy.
func (t *template) copyTo(profile string) bool {
	if private(t.dir) != nil {
		return false
	}
	if err := copyTree(t.dir, profile); err != nil {
		// Half of it is worse than nothing of it.
		_ = os.RemoveAll(profile)
		_ = os.Mkdir(profile, 0o700)
		return false
	}
	return true
}

// fill makes the template from a profile whose browser has ended. Another
// process that is at it, or was quicker, wins. The profile was in the hands of a
// browser: links in it are not followed.
func (t *template) fill(profile string) {
	f, err := os.OpenFile(t.lock, os.O_CREATE|os.O_RDWR|noFollow, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	if !tryLock(f) {
		return
	}
	if _, err := os.Lstat(t.dir); err == nil {
		return
	}
	t.dropOthers()
	draft, err := os.MkdirTemp(filepath.Dir(t.dir), "draft-")
	if err != nil {
		return
	}
	defer os.RemoveAll(draft)
	from, err := os.OpenRoot(profile)
	if err != nil {
		return
	}
	defer from.Close()
	left := int64(templateLimit)
	for _, name := range templateFiles {
		if name == settingsDB && !complete(from, name) {
			continue
		}
		if os.MkdirAll(filepath.Join(draft, filepath.Dir(name)), 0o700) != nil || copyFrom(from, name, draft, &left) != nil {
			return
		}
	}
	// Without these the browser takes the profile for an old one.
	for _, must := range []string{"compatibility.ini", "startupCache"} {
		if _, err := os.Lstat(filepath.Join(draft, must)); err != nil {
			return
		}
	}
	if keepPrefs(from, filepath.Join(draft, "prefs.js")) != nil {
		return
	}
	_ = os.Rename(draft, t.dir)
}

// dropOthers removes templates of other builds and drafts that were not finished.
func (t *template) dropOthers() {
	parent := filepath.Dir(t.dir)
	entries, _ := os.ReadDir(parent)
	version, _, _ := strings.Cut(filepath.Base(t.dir), "-")
	for _, e := range entries {
		other, _, _ := strings.Cut(e.Name(), "-")
		if e.IsDir() && other != version {
			_ = os.RemoveAll(filepath.Join(parent, e.Name()))
		}
	}
}

// complete reports whether a database is whole without its write-ahead log.
func complete(from *os.Root, name string) bool {
	st, err := from.Lstat(name + "-wal")
	return err != nil || st.Size() == 0
}

// copyFrom copies a file or a directory of plain files out of a root, to the
// same place under to, whose parents are there. What is not there is left out.
func copyFrom(from *os.Root, name, to string, left *int64) error {
	st, err := from.Lstat(name)
	if err != nil {
		return nil
	}
	target := filepath.Join(to, name)
	if st.IsDir() {
		if err := os.Mkdir(target, 0o700); err != nil {
			return err
		}
		dir, err := from.Open(name)
		if err != nil {
			return err
		}
		entries, err := dir.ReadDir(-1)
		dir.Close()
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Type().IsRegular() {
				if err := copyFrom(from, name+"/"+e.Name(), to, left); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if !st.Mode().IsRegular() {
		return nil
	}
	if *left -= st.Size(); *left < 0 {
		return fs.ErrInvalid
	}
	f, err := from.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return writeFile(target, f)
}

// keepPrefs writes the lines of prefs.js that a template keeps.
func keepPrefs(from *os.Root, target string) error {
	f, err := from.Open("prefs.js")
	if err != nil {
		return err
	}
	defer f.Close()
	return os.WriteFile(target, []byte(filterPrefs(f)), 0o600)
}

func filterPrefs(r io.Reader) string {
	var b strings.Builder
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		name, ok := strings.CutPrefix(in.Text(), `user_pref("`)
		if !ok {
			continue
		}
		for _, p := range templatePrefs {
			if strings.HasPrefix(name, p) {
				b.WriteString(in.Text() + "\n")
				break
			}
		}
	}
	return b.String()
}

// copyTree copies a directory of plain files and directories into one that is there.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(p string, e os.DirEntry, err error) error {
		if err != nil || p == from {
			return err
		}
		rel, err := filepath.Rel(from, p)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case e.IsDir():
			return os.Mkdir(target, 0o700)
		case !e.Type().IsRegular():
			return nil
		}
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		return writeFile(target, f)
	})
}

func writeFile(target string, r io.Reader) error {
	w, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r) // copy_file_range where the system has it
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return err
}

// prepareFirefox fills a fresh profile from the template, or remembers to make
// one at the end, and writes user.js.
func (p *Process) prepareFirefox() error {
	if p.options.ProfileDir == "" {
		if t := templateFor(p.choice.binary); t != nil && !t.copyTo(p.profile) {
			p.warm = t
		}
	}
	js := filepath.Join(p.profile, "user.js")
	_ = os.Remove(js)
	if err := os.WriteFile(js, []byte(userJS(prefsOf(p.options, p.dirs.memory != nil))), 0o600); err != nil {
		return err
	}
	return p.dirs.give(p.profile)
}

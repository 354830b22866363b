//go:build linux

package browsers

import (
	"os"
	"path/filepath"
	"slices"

	json "github.com/goccy/go-json"
)

var storageCases = []pageCase{
	{name: "89-storage-scope", run: storageScope, own: true, alone: true},
}

// storedFile is what is looked at of a saved state.
type storedFile struct {
	Cookies []struct {
		Name    string  `json:"name"`
		Expires float64 `json:"expires"`
	} `json:"cookies"`
	Origins []storedOrigin `json:"origins"`
	Frames  []storedOrigin `json:"frames"`
}

type storedOrigin struct {
	Origin string `json:"origin"`
	Local  []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"localStorage"`
}

func storageScope(k *kase) {
	dir := k.t.TempDir()
	data := []string{"DUET_DATA_DIR=" + dir}
	k.c = serveWith(k.t, k.s, data)
	k.open("/login")
	k.waitText("cookies: sid,hid,strict")
	k.ok("browser_state", "action", "save", "name", "login")
	k.c.close()
	k.stored(filepath.Join(dir, "states", "login.json"))

	k.c = serveWith(k.t, k.s, data)
	k.ok("browser_state", "action", "load", "name", "login")
	k.ok("browser_state", "action", "save", "name", "again")
	k.stored(filepath.Join(dir, "states", "again.json")) // before any page could write
	k.open("/")
	k.waitText("cookies: sid,hid,strict")
	k.same("who", k.eval("localStorage.who"), "Zoë 😀")
	k.c.close()
}

// stored judges a saved state: cookies of the session, one storage an origin.
func (k *kase) stored(path string) {
	text, err := os.ReadFile(path)
	var f storedFile
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		k.endf("%s: %v", path, err)
	}
	var names []string
	for _, c := range f.Cookies {
		names = append(names, c.Name)
		if c.Expires != -1 {
			k.faultf("%s is no cookie of the session: %v", c.Name, c.Expires)
		}
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"hid", "sid", "strict"}) {
		k.faultf("the cookies are %q", names)
	}
	want := map[string]string{k.origins["MAIN"]: "Zoë 😀", k.origins["ALT"]: "other"}
	for _, o := range slices.Concat(f.Origins, f.Frames) {
		if len(o.Local) != 1 || o.Local[0].Name != "who" || o.Local[0].Value != want[o.Origin] {
			k.faultf("%s keeps %v", o.Origin, o.Local)
		}
		delete(want, o.Origin)
	}
	if len(want) > 0 {
		k.faultf("not saved: %v", want)
	}
}

package app

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/fault"
)

// Where a person wants the file that a command made. The daemon is not told: it
// writes where it always does, and what it wrote is copied by this process.

// outFlag is the flag that says so.
const outFlag = "out"

// file reports whether an argument that is typed by position is the name of the file
// to make, as in duet screenshot page.png; a selector like it is written css=a.png.
func (v *verb) file(text string) bool {
	if strings.ContainsAny(text, "=[>#: ") {
		return false
	}
	return slices.Contains(v.Saves, strings.ToLower(strings.TrimPrefix(filepath.Ext(text), ".")))
}

// placeFor checks that a file can be put there, before anything is done.
func placeFor(out string) error {
	if out == "" {
		return usage("--%s needs a file's name, or - for standard output", outFlag)
	}
	if out == "-" {
		return nil
	}
	dir := filepath.Dir(out)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usage("--%s %s: there is no directory %s", outFlag, clip(out), clip(dir))
	}
	return nil
}

// place notes where the file of the call is to go.
func (w *values) place(parsed reflect.Value) error {
	out := parsed.FieldByName("Out")
	if !out.IsValid() || out.IsNil() {
		return nil
	}
	w.dest = out.Elem().String()
	return placeFor(w.dest)
}

// takesFile takes a file's name that stands in the place of another argument.
func (w *values) takesFile(f *dispatch.Field, value reflect.Value) bool {
	if w.dest != "" || len(w.verb.Saves) == 0 {
		return false
	}
	switch texts := value.Interface().(type) {
	case *string:
		if !w.verb.file(*texts) {
			return false
		}
		w.dest = *texts
		return true
	case []string:
		i := slices.IndexFunc(texts, w.verb.file)
		if i < 0 {
			return false
		}
		w.dest = texts[i]
		value.Set(reflect.ValueOf(slices.Delete(slices.Clone(texts), i, i+1)))
		return len(texts) == 1
	}
	return false
}

// otherPictures are endings of files that no verb makes.
var otherPictures = []string{".bmp", ".gif", ".tif", ".tiff", ".svg", ".avif", ".heic", ".ico"}

// formats are those of the files' endings that are called otherwise.
var formats = map[string]string{"jpg": "jpeg"}

// complete adds what the file's name says of its format, and refuses a call without
// what its verb needs.
func (w *values) complete() error {
	if w.dest != "" && w.dest != "-" {
		if err := placeFor(w.dest); err != nil {
			return err
		}
		ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(w.dest), "."))
		f := w.verb.cmd.Field("format")
		if f != nil && slices.Contains(w.verb.Saves, ending) && ending != w.verb.Saves[0] && !slices.Contains(w.given, f.Name) {
			if as := formats[ending]; as != "" {
				ending = as
			}
			if err := w.text(f, ending, true); err != nil {
				return err
			}
		}
	}
	positional, flags := w.verb.fields()
	for _, f := range slices.Concat(positional, flags) {
		if slices.Contains(w.verb.Needs, f.Name) && !slices.Contains(w.given, f.Name) {
			e := usage("%s is required", label(w.verb, &f))
			e.hint = w.verb.pointer()
			return e
		}
	}
	return nil
}

// wants reports whether all of a call's result is wanted: a program reads it, which
// cannot do with the beginning of a value, or of an object. A person at a terminal gets
// the beginning and where the rest lies.
func (a *App) wants(g *globals, c call) bool {
	return c.out != "" && c.value || (c.value || g.JSON) && !terminal(a.Stdout)
}

// into prints the answer to a call to a file.
func (a *App) into(r *reply, out string, asJSON bool) error {
	var text bytes.Buffer
	to := *a
	to.Stdout = &text
	no := to.print(r, asJSON)
	if s, ok := errors.AsType[status](no); no != nil && !ok || s == 2 {
		return no
	}
	full, err := filepath.Abs(out)
	if err == nil {
		err = os.WriteFile(full, text.Bytes(), 0o666) // the user's own file, by the user's umask
	}
	if err != nil {
		return fault.New(fault.StateInvalid, "%s cannot be written: %v", clip(out), fileError(err)).At(fault.InEffect, fault.Confirmed)
	}
	path, err := marshal(full) // not %q, whose escapes are Go's
	if err != nil {
		return err
	}
	saved := "saved: " + string(path) + "\n"
	if asJSON {
		saved = `{"ok":true,"saved":` + string(path) + "}\n"
	}
	if _, err := io.WriteString(a.Stdout, saved); err != nil {
		return err
	}
	return no
}

// deliver prints the answer to a call, and first puts its file where it was wanted.
func (a *App) deliver(r *reply, c call, asJSON bool) error {
	r.raw, r.value = c.raw, c.value
	switch {
	case r.isError || r.wrong != nil || c.out == "" || c.value && c.out == "-":
		return a.print(r, asJSON)
	case c.value:
		return a.into(r, c.out, asJSON)
	}
	var answer struct {
		Result struct {
			Path string `json:"path"`
		} `json:"result"`
	}
	if err := json.Unmarshal(r.structured, &answer); err != nil || answer.Result.Path == "" {
		return lostDaemon(errors.New("the answer names no file"))
	}
	data, err := os.ReadFile(answer.Result.Path)
	to := c.out
	if err == nil && to == "-" {
		_, err = a.Stdout.Write(data)
		return err
	}
	if info, statErr := os.Stat(to); statErr == nil && info.IsDir() {
		to = filepath.Join(to, filepath.Base(answer.Result.Path))
	}
	if full, absErr := filepath.Abs(to); absErr == nil {
		to = full
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o666) // the user's own file, by the user's umask
	}
	if err != nil {
		return fault.New(fault.StateInvalid, "%s cannot be written: %v; the file lies in %s", clip(to), fileError(err), answer.Result.Path).
			At(fault.InEffect, fault.Confirmed)
	}
	saved, err := marshal(to)
	if err != nil {
		return err
	}
	r.text += "\nsaved: " + string(saved)
	object := bytes.TrimSpace(r.structured)
	r.structured = append(append(append(object[:len(object)-1:len(object)-1], `,"saved":`...), saved...), '}')
	return a.print(r, asJSON)
}

// fileError is what is wrong with a file, without its path.
func fileError(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

package app

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/env"
)

// maxStdin is the most that is read of standard input for one value.
const maxStdin = 1 << 20

// call is what the user typed, as a call of a tool.
type call struct {
	tool string
	args json.RawMessage
	// secrets are the values that came by standard input or environment.
	secrets []string
	verb    string // as it was typed
	out     string // where its file is to be copied; "" is nowhere
	raw     string // member of the result that is printed as it is; see dispatch.Verb
	value   bool   // the result is a value of the page; see dispatch.Spec
	idle    bool   // it starts no browser
	whole   bool   // all of the result is wanted, however long
}

// values turns what kong filled in into arguments. Standard input is read for
// one value that is "-".
type values struct {
	verb   *verb
	line   line
	stdin  io.Reader
	used   bool     // stdin was read
	hidden []string // values that came by stdin or environment
	given  []string // names of the arguments that were given
	dest   string   // where the file that it makes is to go; "" is nowhere
	out    bytes.Buffer
}

// wire makes the call that a parsed command line means. Only values that were
// given are in it; the decoder knows the defaults.
func wire(v *verb, parsed reflect.Value, l line, g *globals, stdin io.Reader) (call, error) {
	w := &values{verb: v, line: l, stdin: stdin}
	if err := w.place(parsed); err != nil {
		return call{}, err
	}
	positional, flags := v.fields()
	given := 0
	for i := range positional {
		f := &positional[i]
		value := parsed.FieldByName(f.GoName)
		if value.IsNil() {
			continue
		}
		raw := given < len(l.raw) && l.raw[given]
		given++
		if w.takesFile(f, value) {
			continue
		}
		if err := w.put(f, value, raw); err != nil {
			return call{}, err
		}
	}
	for i := range flags {
		f := &flags[i]
		if value := parsed.FieldByName(f.GoName); !value.IsNil() {
			if err := w.put(f, value, false); err != nil {
				return call{}, err
			}
		}
	}
	for _, value := range l.values {
		if ending := strings.ToLower(filepath.Ext(value)); len(v.Saves) > 0 && slices.Contains(otherPictures, ending) && !strings.ContainsAny(value, "=[>#: ") {
			e := usage("%s makes files of the kinds %s, not %s", v.Name, strings.Join(v.Saves, ", "), ending)
			e.hint = "an element that is called so is css=" + value
			return call{}, e
		}
	}
	if err := w.empty(parsed); err != nil {
		return call{}, err
	}
	if err := w.fromEnv(parsed); err != nil {
		return call{}, err
	}
	if err := w.secrecy(parsed); err != nil {
		return call{}, err
	}
	if err := w.rest(parsed, g); err != nil {
		return call{}, err
	}
	if err := w.complete(); err != nil {
		return call{}, err
	}
	name := v.cmd.Tool
	if name == "" {
		name = v.cmd.Verb
	}
	return call{name, append(append([]byte{'{'}, w.out.Bytes()...), '}'), w.hidden, v.typed, w.dest, v.Raw, v.cmd.Value, v.cmd.Idle, false}, nil
}

// secrecy marks a call whose value came by standard input or environment: what
// was kept out of the command line stays out of what is printed.
func (w *values) secrecy(parsed reflect.Value) error {
	const name = "secret"
	f := w.verb.cmd.Field(name)
	if f == nil || f.Kind != dispatch.Bool || len(w.hidden) == 0 {
		return nil
	}
	if given := parsed.FieldByName(f.GoName); given.IsValid() && !given.IsNil() {
		if !given.Elem().Bool() {
			w.hidden = nil // the user decided
		}
		return nil
	}
	return w.text(f, "true", true)
}

// rest adds what is not typed by name: presets, the timeout, and arguments that
// have no flag and are read from standard input as JSON.
func (w *values) rest(parsed reflect.Value, g *globals) error {
	for _, f := range w.verb.cmd.Fields() {
		if text, ok := w.verb.Preset[f.Name]; ok {
			if err := w.text(&f, text, true); err != nil {
				return err
			}
			continue
		}
		switch {
		case f.Name == timeoutField && g.TimeoutMS != nil:
			w.member(f.Name, quoteInt(*g.TimeoutMS))
		case f.Hidden && f.Required:
			text, err := w.steps(parsed)
			if err != nil {
				return err
			}
			if !json.Valid([]byte(text)) {
				e := usage("%s are JSON, and this is none", f.Name)
				if strings.TrimSpace(text) == "" {
					e.message = f.Name + " are read from standard input as JSON, and it is empty"
				}
				e.hint = "such as: " + stepsExample
				return e
			}
			w.member(f.Name, []byte(strings.TrimSpace(text)))
		}
	}
	return nil
}

// empty gives an empty list where its switch asks for one. Without it a list that
// came to nothing, such as that of a pattern which matches no file, empties nothing.
func (w *values) empty(parsed reflect.Value) error {
	f := w.verb.emptied()
	if f == nil {
		return nil
	}
	given := !parsed.FieldByName(f.GoName).IsNil()
	asked := parsed.FieldByName(emptyFlag)
	switch {
	case asked.IsNil() || !asked.Elem().Bool():
		if !given {
			return usage("%s is missing; --%s gives none", label(w.verb, f), f.None)
		}
	case given:
		return usage("--%s takes no %s", f.None, label(w.verb, f))
	default:
		w.member(f.Name, []byte("[]"))
	}
	return nil
}

func (w *values) fromEnv(parsed reflect.Value) error {
	name := w.verb.secretField()
	if name == "" {
		return nil
	}
	value := parsed.FieldByName("ValueEnv")
	if value.IsNil() {
		return nil
	}
	f := w.verb.cmd.Field(name)
	if given := parsed.FieldByName(f.GoName); !given.IsNil() {
		return usage("the %s is given twice: as an argument and by --value-env", name)
	}
	secret, ok := env.Named(value.Elem().String())
	if !ok {
		return usage("the environment variable %s of --value-env is not set", clip(value.Elem().String()))
	}
	w.hidden = append(w.hidden, secret)
	return w.text(f, secret, true)
}

func (w *values) put(f *dispatch.Field, value reflect.Value, raw bool) error {
	switch value.Type() {
	case reflect.TypeFor[*bool]():
		w.member(f.Name, []byte(map[bool]string{true: "true", false: "false"}[value.Elem().Bool()]))
		return nil
	case reflect.TypeFor[[]string]():
		texts := words(f, value.Interface().([]string))
		if f.Kind == dispatch.String {
			if len(texts) > 1 {
				raw = true // "-" is one of several
			}
			return w.text(f, strings.Join(texts, "\n"), raw)
		}
		if f.Kind == dispatch.Object {
			return w.object(f, texts)
		}
		if f.Name == filesField {
			texts = absolute(texts)
		}
		list, err := marshal(texts)
		if err != nil {
			return err
		}
		w.member(f.Name, list)
		return nil
	}
	return w.text(f, value.Elem().String(), raw)
}

// text adds a value that was typed as text. raw keeps "-" a dash.
func (w *values) text(f *dispatch.Field, text string, raw bool) error {
	if text == "-" && !raw && f.Kind == dispatch.String && len(f.Enum) == 0 {
		var err error
		if text, err = w.readStdin(); err != nil {
			return err
		}
		text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
		if !slices.Contains(openFields, f.Name) {
			w.hidden = append(w.hidden, text)
		}
	}
	if only := w.verb.Only[f.Name]; only != nil && !slices.Contains(only, text) {
		return usage("%s must be one of %s, not %q", label(w.verb, f), strings.Join(only, ", "), clip(text)).meant(text, only)
	}
	switch f.Kind {
	case dispatch.Int, dispatch.Float:
		if !number(text) {
			return usage("%s must be a number, not %q", label(w.verb, f), clip(text))
		}
		w.member(f.Name, []byte(text))
	case dispatch.Bool:
		if text != "true" && text != "false" {
			return usage("%s must be true or false, not %q", label(w.verb, f), clip(text))
		}
		w.member(f.Name, []byte(text))
	case dispatch.Strings:
		list, err := marshal([]string{text})
		if err != nil {
			return err
		}
		w.member(f.Name, list)
	default:
		if !utf8.ValidString(text) { // of standard input or the environment
			return usage("%s is not UTF-8", label(w.verb, f))
		}
		if f.Name == fileField {
			text = absolute([]string{text})[0]
		}
		if f.Name == urlField || f.Name == targetField && w.verb.Name == tabVerb {
			text = whole(text)
		}
		quoted, err := marshal(text)
		if err != nil {
			return err
		}
		w.member(f.Name, quoted)
	}
	return nil
}

func (w *values) member(name string, value []byte) {
	if w.out.Len() > 0 {
		w.out.WriteByte(',')
	}
	w.out.WriteString(`"` + name + `":`)
	w.out.Write(value)
	w.given = append(w.given, name)
}

func (w *values) readStdin() (string, error) {
	if w.used {
		return "", usage("standard input can give one value only")
	}
	w.used = true
	text, err := io.ReadAll(io.LimitReader(w.stdin, maxStdin+1))
	if err != nil {
		return "", usage("standard input cannot be read: %v", err)
	}
	if len(text) > maxStdin {
		return "", usage("standard input is longer than %d bytes", maxStdin)
	}
	return string(text), nil
}

// stepsExample is what the arguments that are read from standard input look like.
const stepsExample = `[{"tool":"browser_fill","arguments":{"selector":"label=Name","value":"Ada"}},{"tool":"browser_click","arguments":{"selector":"e7"}}]`

// openFields are the arguments that come by standard input for their length or
// quotes, not for what they say: a script, what a mock answers.
var openFields = []string{"js", "body", "json"}

// filesField is the argument that holds paths: they are the caller's, whose
// working directory the daemon does not share.
const (
	filesField = "files"
	fileField  = "file"
)

func absolute(paths []string) []string {
	abs := make([]string, len(paths))
	for i, p := range paths {
		full, err := filepath.Abs(p)
		if _, statErr := os.Lstat(full); err != nil || statErr != nil {
			full = p // perhaps the name of an artifact; or the daemon says what is wrong
		}
		abs[i] = full
	}
	return abs
}

// label is how the user knows an argument.
func label(v *verb, f *dispatch.Field) string {
	positional, _ := v.fields()
	for i := range positional {
		if positional[i].Name == f.Name {
			return strings.ToUpper(f.Flag())
		}
	}
	return "--" + f.Flag()
}

// number reports whether text is a JSON number: what is not is refused here,
// where the flag can be named.
func number(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	return json.Valid([]byte(text))
}

func quoteInt(n int) []byte {
	b, _ := marshal(n) // a number always marshals
	return b
}

// marshal writes JSON as a person or a model reads it, without HTML escapes.
func marshal(v any) ([]byte, error) {
	return json.MarshalWithOption(v, json.DisableHTMLEscape())
}

package pagejs

import (
	"bytes"
	"embed"
	"errors"
	"strings"
	"sync"

	"github.com/goccy/go-json"
)

// Sandbox is the name of the realm that every page function runs in. The page's
// own realm never sees anything of it.
const Sandbox = "duet"

// ErrNoLib is what Decode answers when the realm has no library, or one for a
// document that is gone: the caller sends First instead of Source.
var ErrNoLib = errors.New("pagejs: no library in this realm")

//go:embed js/*.js js/wrap/*.js js/third_party/axe-core/axe.min.js
var files embed.FS

// A Fn is a page function: the file js/NAME.js with the Go types of its
// arguments and of its answer.
//
// It is called by script.callFunction in the sandbox, with awaitPromise, with
// Args as one string argument and, where the file takes typed text, two more: the
// word secret, which lets logs mask what comes after it, and the text (an object
// around it would cost 3 ms on Chrome). The answer is one JSON string, escaped so
// that lone surrogates never travel raw. What the function throws becomes an
// exception of the protocol.
type Fn[A, R any] struct {
	Name  string
	Reads bool // the file's first line says that it changes nothing in the page
	Acts  bool // the file's first line says that it does what a person would: with a person's activation of the page
	body  func() string
	place string        // a line of the body that stands for another text
	other func() string // that text, too long to be kept with the body
	known string        // as it is sent to a document that has it
}

// load makes the token of js/NAME.js. It panics where there is no such file,
// which is at start and so in every test.
func load[A, R any](name string) Fn[A, R] {
	first := firstLine(name)
	acts := hasWord(first, "acts")
	f := Fn[A, R]{Name: name, Reads: hasWord(first, "reads") && !acts, Acts: acts, body: sync.OnceValue(func() string { return file(name) })}
	texts["@"+name] = f.Source
	texts["@+"+name] = f.First
	f.known = strings.Replace(knownText, "NAME", name, 1)
	known[f.known] = "@" + name
	return f
}

// loadWith is load for a file in which one line stands for another text.
func loadWith[A, R any](name, place string, other func() string) Fn[A, R] {
	f := load[A, R](name)
	f.place, f.other = place, other
	texts["@"+name] = f.Source
	texts["@+"+name] = f.First
	return f
}

// whole is the body with the other text in its place.
func (f Fn[A, R]) whole() string {
	if f.other == nil {
		return f.body()
	}
	return strings.Replace(f.body(), "\n"+f.place+"\n", "\n"+f.other()+"\n", 1)
}

// Source is the function as it is sent where the library is expected to be in
// the realm. Where it is not, the answer decodes to ErrNoLib.
func (f Fn[A, R]) Source() string {
	return f.put(callText)
}

func (f Fn[A, R]) put(text string) string {
	text = strings.Replace(text, "NAME", f.Name, 1)
	return strings.Replace(text, "\nFUNCTION\n", "\n"+f.whole()+"\n", 1)
}

// Known is the function as it is sent to a document that was sent Source or First
// before: its name. Where the document does not have it, the answer is Lacking.
func (f Fn[A, R]) Known() string { return f.known }

// First is the function as it is sent after ErrNoLib: it installs the library
// and then does what Source does, in the same call.
func (f Fn[A, R]) First() string {
	return strings.Replace(f.put(firstText), "\nLIBRARY\n", "\n"+Lib()+"\n", 1)
}

// Args is the argument as the one JSON string that the function takes.
func (f Fn[A, R]) Args(a A) string {
	b, err := marshal(a)
	if err != nil {
		panic("pagejs: " + f.Name + ": " + err.Error())
	}
	return string(b)
}

// Decode reads the function's answer.
func (f Fn[A, R]) Decode(text string) (R, error) {
	var r R
	if text == noLib {
		return r, ErrNoLib
	}
	if err := json.Unmarshal([]byte(wellFormed(text)), &r); err != nil {
		return r, errors.New("pagejs: " + f.Name + ": " + err.Error())
	}
	if p, ok := any(&r).(interface{ unpack() error }); ok {
		if err := p.unpack(); err != nil {
			return r, err
		}
	}
	return r, nil
}

// marshal is json.Marshal without HTML escaping.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func file(name string) string {
	b, err := files.ReadFile("js/" + name + ".js")
	if err != nil {
		panic("pagejs: " + err.Error())
	}
	return strings.TrimRight(string(b), " \t\r\n")
}

// firstLine is that of js/NAME.js, without reading the rest: all the files together
// are a part of a start that can be felt.
func firstLine(name string) string {
	f, err := files.Open("js/" + name + ".js")
	if err != nil {
		panic("pagejs: " + err.Error())
	}
	var b [512]byte
	n, err := f.Read(b[:])
	line, _, whole := strings.Cut(string(b[:n]), "\n")
	if err != nil || !whole {
		panic("pagejs: the first line of " + name + ".js is none of 512 bytes")
	}
	return line
}

func hasWord(line, word string) bool {
	for _, w := range strings.FieldsFunc(line, func(r rune) bool { return r < 'a' || r > 'z' }) {
		if w == word {
			return true
		}
	}
	return false
}

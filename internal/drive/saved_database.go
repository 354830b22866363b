package drive

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/goccy/go-json"
)

// Bounds of the databases in a state file.
const (
	maxDatabases = 200
	maxStores    = 500
	maxRecords   = 1_000_000
)

// database reads a database of an origin: its stores with their records. It is
// judged here and kept as the text that the page function takes.
func (o *savedOrigin) database(m member) error {
	var name string
	var version float64
	err := m.object(map[string]func(member) error{
		"name": textInto(&name), "version": numberInto(&version),
		"stores": func(m member) error { return m.list(maxStores, storeOf) },
	}, []string{"name", "version", "stores"})
	if err != nil {
		return err
	}
	if version < 1 || version != float64(int64(version)) {
		return member{at: m.join("version")}.wrong("a whole number from 1 on is expected")
	}
	text, err := json.MarshalWithOption(m.value, json.DisableHTMLEscape())
	if err != nil {
		return m.wrong("it cannot be written")
	}
	o.databases = append(o.databases, text)
	return nil
}

func storeOf(m member) error {
	var name string
	var auto bool
	inline := false
	read := keyPathOf(&inline)
	read["name"] = textInto(&name)
	read["autoIncrement"] = boolInto(&auto)
	read["records"] = func(m member) error { return m.list(maxRecords, recordOf) }
	read["indexes"] = func(m member) error { return m.list(maxStores, indexOf) }
	if err := m.object(read, []string{"name", "autoIncrement", "records"}); err != nil {
		return err
	}
	if auto || inline {
		return nil
	}
	records, _ := m.value.(map[string]any)["records"].([]any)
	for i, r := range records {
		if o, _ := r.(map[string]any); o["key"] == nil && o["keyEncoded"] == nil {
			return member{at: m.join("records") + indexed(i)}.wrong("it has no key, and its store makes none")
		}
	}
	return nil
}

func indexOf(m member) error {
	var name string
	var multi, unique, has bool
	read := keyPathOf(&has)
	read["name"], read["multiEntry"], read["unique"] = textInto(&name), boolInto(&multi), boolInto(&unique)
	if err := m.object(read, []string{"name", "multiEntry", "unique"}); err != nil {
		return err
	}
	if !has {
		return member{at: m.join("keyPath")}.wrong("it is missing")
	}
	return nil
}

// keyPathOf reads the two ways in which a key path is written; has is set where one is.
func keyPathOf(has *bool) map[string]func(member) error {
	var path string
	return map[string]func(member) error{
		"keyPath": func(m member) error { *has = true; return textInto(&path)(m) },
		"keyPathArray": func(m member) error {
			*has = true
			return m.list(maxStores, textInto(&path))
		},
	}
}

func recordOf(m member) error {
	plain := func(member) error { return nil }
	err := m.object(map[string]func(member) error{
		"key": plain, "value": plain, "keyEncoded": encodedOf, "valueEncoded": encodedOf,
	}, nil)
	if err != nil {
		return err
	}
	o, _ := m.value.(map[string]any) // object has told
	_, value := o["value"]
	if _, encoded := o["valueEncoded"]; !value && !encoded {
		return member{at: m.join("value")}.wrong("it is missing")
	}
	return nil
}

// arrayKinds are the words for typed arrays.
var arrayKinds = []string{"i8", "ui8", "ui8c", "i16", "ui16", "i32", "ui32", "f32", "f64", "bi64", "bui64"}

// encodedOf judges a value that JSON alone cannot carry: a scalar, or an object
// whose member says what it is.
func encodedOf(m member) error {
	o, ok := m.value.(map[string]any)
	if !ok {
		if _, list := m.value.([]any); list || m.value == nil {
			return m.wrong("an encoded value is expected")
		}
		return nil
	}
	var text string
	var id float64
	pair := func(m member) error {
		return m.object(map[string]func(member) error{"k": encodedOf, "v": encodedOf}, []string{"k", "v"})
	}
	named := func(m member) error {
		return m.object(map[string]func(member) error{"k": textInto(&text), "v": encodedOf}, []string{"k", "v"})
	}
	bytes := func(m member) error {
		if err := textInto(&text)(m); err != nil {
			return err
		}
		if _, err := base64.StdEncoding.DecodeString(text); err != nil {
			return m.wrong("it is not base64")
		}
		return nil
	}
	all := func(each func(member) error) func(member) error {
		return func(m member) error { return m.list(maxRecords, each) }
	}
	oneOf := func(words ...string) func(member) error {
		return func(m member) error {
			if s, _ := m.value.(string); !slices.Contains(words, s) {
				return m.wrong("one of %s is expected", strings.Join(words, ", "))
			}
			return nil
		}
	}
	texts := func(names ...string) func(member) error {
		read := map[string]func(member) error{}
		for _, n := range names {
			read[n] = textInto(&text)
		}
		return func(m member) error { return m.object(read, names) }
	}
	kinds := map[string]func(member) error{
		"v": oneOf("undefined", "null", "NaN", "Infinity", "-Infinity", "-0"),
		"d": textInto(&text), "u": textInto(&text), "bi": textInto(&text), "ref": numberInto(&id),
		"r": texts("p", "f"), "e": texts("n", "m", "s"),
		"a": all(encodedOf), "o": all(named), "m": all(pair), "s": all(encodedOf),
		"ab": func(m member) error { return m.object(map[string]func(member) error{"b": bytes}, []string{"b"}) },
		"ta": func(m member) error {
			return m.object(map[string]func(member) error{"b": bytes, "k": oneOf(arrayKinds...)}, []string{"b", "k"})
		},
	}
	for kind, judge := range kinds {
		if _, is := o[kind]; is {
			return m.object(map[string]func(member) error{kind: judge, "id": numberInto(&id)}, []string{kind})
		}
	}
	return m.wrong("an encoded value is expected")
}

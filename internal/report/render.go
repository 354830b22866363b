package report

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
)

//go:embed viewer
var assets embed.FS

var (
	page = sync.OnceValue(func() *template.Template {
		return template.Must(template.ParseFS(assets, "viewer/page.html"))
	})
	// scripts run in this order, in one scope.
	scripts = sync.OnceValue(func() []string {
		return each("dom.js", "data.js", "list.js", "stage.js", "map.js", "panes.js", "time.js", "main.js")
	})
	style = sync.OnceValue(func() string { return strings.Join(each("base.css", "layout.css", "panes.css"), "\n") })
)

// Policy is what a viewer's page may do: run its own scripts and styles, show the
// pictures that it holds, and nothing else. A server sends it too, with the
// members that count in a header alone.
func Policy() string {
	var hashes []string
	for _, s := range scripts() {
		hashes = append(hashes, hash(s))
	}
	return "default-src 'none'; script-src " + strings.Join(hashes, " ") + "; style-src " + hash(style()) +
		"; img-src blob: data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
}

// icon is drawn as the mark at the top of the page is.
const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 26 26' fill='none' stroke-width='4'%3E" +
	"%3Ccircle cx='9' cy='13' r='7' stroke='%233b7ddd'/%3E%3Ccircle cx='17' cy='13' r='7' stroke='%23c8372d'/%3E%3C/svg%3E"

// pane is one of those beside the picture.
type pane struct{ ID, Title string }

// key is a line of the list of shortcuts.
type key struct {
	Keys []string
	Does string
}

var panes = []pane{{"map", "Map"}, {"call", "Call"}, {"console", "Console"}, {"network", "Network"}, {"errors", "Errors"}, {"wire", "Wire"}}

var keys = []key{
	{[]string{"j", "k"}, "next and previous action (in the list: also the arrow keys, Home, End, Page Up and Down)"},
	{[]string{"n", "p"}, "next and previous action where something went wrong"},
	{[]string{"b", "a", "c"}, "the page before, after, and what changed between"},
	{[]string{"z"}, "the picture in full size"},
	{[]string{"1", "…", "6"}, "the panes, from left to right"},
	{[]string{"e"}, "only actions where something went wrong"},
	{[]string{"/"}, "find an action; Enter goes to the list, Escape clears"},
	{[]string{"t"}, "theme: as the system has it, light, dark"},
	{[]string{"?"}, "this list"},
}

// Write writes the trace as one page. It fails with INVALID_ARGUMENT where the
// source holds no trace that can be read, before anything is written.
func Write(w io.Writer, s *Source) error {
	c, err := build(s)
	if err != nil {
		return err
	}
	return c.write(w)
}

func (c *content) write(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	all := make([]template.JS, len(scripts()))
	for i, s := range scripts() {
		all[i] = template.JS(s)
	}
	shown := panes
	if !c.index.Wire {
		shown = panes[:len(panes)-1]
	}
	data := struct {
		Name, Policy string
		Icon         template.URL
		Style        template.CSS
		Facts        []fact
		Notes        []string
		Rows         int
		Folded       bool
		Panes        []pane
		Keys         []key
		Scripts      []template.JS
	}{c.name, Policy(), icon, template.CSS(style()), c.facts, c.notes, max(1, len(c.index.Rows)), len(c.index.Pauses) > 0, shown, keys, all}
	if err := page().ExecuteTemplate(out, "head", data); err != nil {
		return err
	}
	if err := c.blocks(out); err != nil {
		return err
	}
	if err := page().ExecuteTemplate(out, "tail", data); err != nil {
		return err
	}
	return out.Flush()
}

// blocks writes what the trace holds.
func (c *content) blocks(out *bufio.Writer) error {
	if err := jsonBlock(out, "data-index", c.index); err != nil {
		return err
	}
	for n := 0; n*inChunk < len(c.details); n++ {
		part := c.details[n*inChunk : min((n+1)*inChunk, len(c.details))]
		if err := jsonBlock(out, fmt.Sprintf("data-detail-%d", n), part); err != nil {
			return err
		}
	}
	if err := jsonBlock(out, "data-console", c.console); err != nil {
		return err
	}
	if err := jsonBlock(out, "data-network", c.network); err != nil {
		return err
	}
	if err := jsonBlock(out, "data-wire", c.wire); err != nil {
		return err
	}
	for n, p := range c.pictures {
		fmt.Fprintf(out, "<script type=\"text/plain\" id=\"image-%d\" data-type=\"%s\"", n, p.kind)
		if p.width > 0 && p.height > 0 {
			fmt.Fprintf(out, " data-w=\"%d\" data-h=\"%d\"", p.width, p.height)
		}
		out.WriteByte('>')
		enc := base64.NewEncoder(base64.StdEncoding, out)
		if _, err := enc.Write(p.data); err != nil {
			return err
		}
		if err := enc.Close(); err != nil {
			return err
		}
		out.WriteString("</script>\n")
	}
	return nil
}

func jsonBlock(out *bufio.Writer, id string, v any) error {
	text, err := script(v)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "<script type=\"application/json\" id=\"%s\">", id)
	out.Write(text)
	_, err = out.WriteString("</script>\n")
	return err
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// each reads files of the viewer.
func each(names ...string) []string {
	var texts []string
	for _, name := range names {
		text, err := assets.ReadFile("viewer/" + name)
		if err != nil {
			panic(err) // the files are part of the program
		}
		texts = append(texts, string(text))
	}
	return texts
}

package app

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

const helpWidth = 96

const helpHead = `duet operates Firefox and Chrome for people, scripts and AI agents.

Usage: duet COMMAND [ARGUMENTS] [FLAGS]

Start here:
  duet open example.com              open a page; the browser starts by itself
  duet snapshot                      print the page as a map: a line and a ref (e7) for each element
  duet click e7 --observe delta      act on an element, and print what changed
  duet fill 'label=Name' 'Ada'       elements can also be named: css, role=, label=, text=, ...
  duet quit                          end the browser
  duet doctor                        find out what is missing
`

const helpTail = `
A value may begin with a dash, be empty, and hold commas; - reads it from standard input, and
-- ends the flags. Results go to standard output, errors to standard error.
Exit status: 0 done, 1 the page or the browser said no, 2 the command was wrong.
`

// helpAll is what a newcomer reads.
func helpAll(g *grammar, k *kong.Kong) string {
	var b strings.Builder
	b.WriteString(helpHead)
	b.WriteString("\nBrowser commands (duet COMMAND --help says more):\n")
	var rows [][2]string
	for _, name := range g.names {
		text := g.verbs[name].summary()
		if also := g.verbs[name].Aliases; len(also) > 0 {
			text += " Also: " + strings.Join(also, ", ") + "."
		}
		rows = append(rows, [2]string{name, text})
	}
	table(&b, rows)
	b.WriteString("\nOther commands:\n")
	rows = nil
	for _, p := range append(programs(), parts()...) {
		rows = append(rows, [2]string{p.name, p.summary})
	}
	table(&b, rows)
	b.WriteString("\nFlags that every command takes:\n")
	table(&b, flagRows(k.Model.Flags))
	b.WriteString(helpTail)
	return b.String()
}

// helpVerb is the help of a declared command.
func helpVerb(v *verb, k *kong.Kong) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage: %s\n", v.summary(), usageLine(v))
	if len(v.Aliases) > 0 {
		fmt.Fprintf(&b, "Also: %s\n", strings.Join(v.Aliases, ", "))
	}
	if detail := v.detail(); detail != "" {
		b.WriteString("\n" + wrap(detail, helpWidth) + "\n")
	}
	positional, _ := v.fields()
	var rows [][2]string
	for i := range positional {
		rows = append(rows, [2]string{strings.ToUpper(positional[i].Flag()), helpText(&positional[i])})
	}
	if v.readsJSON() {
		for _, arg := range k.Model.Children[0].Positional {
			rows = append(rows, [2]string{strings.ToUpper(arg.Name), arg.Help})
		}
	}
	section(&b, "Arguments:", rows)
	section(&b, "Flags:", flagRows(k.Model.Children[0].Flags))
	rows = nil
	for _, p := range partsOf(v.Name) {
		rows = append(rows, [2]string{"duet " + p.name, p.summary})
	}
	section(&b, "Beside it:", rows)
	if example := v.Example; example != "" {
		b.WriteString("\nExample:\n  duet " + example + "\n")
	}
	if v.readsJSON() {
		b.WriteString("\nSuch JSON, in one line or several:\n")
		b.WriteString("  " + strings.Replace(stepsExample, "},{", "},\n   {", 1) + "\n")
	}
	b.WriteString("\nFlags that every command takes are in duet --help.\n")
	return b.String()
}

// helpProgramText is the help of one of the program's own commands.
func helpProgramText(p program, k *kong.Kong) string {
	var b strings.Builder
	node := k.Model.Children[0]
	fmt.Fprintf(&b, "%s\n\nUsage: duet %s", p.summary, p.name)
	var rows [][2]string
	for _, arg := range node.Positional {
		name := strings.ToUpper(arg.Name)
		if arg.Required {
			b.WriteString(" " + name)
		} else {
			b.WriteString(" [" + name + "]")
		}
		rows = append(rows, [2]string{name, arg.Help})
	}
	b.WriteString(" [FLAGS]\n")
	if p.detail != "" {
		b.WriteString("\n" + wrap(p.detail, helpWidth) + "\n")
	}
	section(&b, "Arguments:", rows)
	section(&b, "Flags:", flagRows(node.Flags))
	b.WriteString("\nFlags that every command takes are in duet --help.\n")
	return b.String()
}

// usageLine shows a verb with its arguments.
func usageLine(v *verb) string {
	parts := []string{"duet", v.Name}
	positional, flags := v.fields()
	for i := range positional {
		name := strings.ToUpper(positional[i].Flag())
		if !positional[i].Required {
			name = "[" + name + "]"
		}
		parts = append(parts, name)
	}
	if f := v.steps(); f != nil {
		parts = append(parts, "["+strings.ToUpper(f.Flag())+"]")
	}
	for i := range flags {
		if flags[i].Required {
			parts = append(parts, "--"+flags[i].Flag()+" "+strings.ToUpper(flags[i].Flag()))
		}
	}
	return strings.Join(parts, " ") + " [FLAGS]"
}

func flagRows(flags []*kong.Flag) [][2]string {
	var rows [][2]string
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		left := "--" + f.Name
		if f.Short != 0 {
			left = "-" + string(f.Short) + ", " + left
		}
		if !f.IsBool() {
			left += " " + strings.ToUpper(strings.Trim(placeholder(f), `"`))
		}
		rows = append(rows, [2]string{left, f.Help})
	}
	return rows
}

func placeholder(f *kong.Flag) string {
	if f.PlaceHolder != "" {
		return f.PlaceHolder
	}
	return f.Name
}

func section(b *strings.Builder, title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	table(b, rows)
}

// table writes rows in two columns.
func table(b *strings.Builder, rows [][2]string) {
	width := 0
	for _, r := range rows {
		width = max(width, min(len(r[0]), 26))
	}
	for _, r := range rows {
		text := strings.Split(wrap(r[1], helpWidth-width-4), "\n")
		left := r[0]
		if len(left) > width {
			fmt.Fprintf(b, "  %s\n", left)
			left = ""
		}
		for i, line := range text {
			if i > 0 {
				left = ""
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s  %s", width, left, line), " ") + "\n")
		}
	}
}

// wrap breaks text at spaces into lines of at most width.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}

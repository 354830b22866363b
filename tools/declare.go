// Package tools is the commands: one file each, nothing else.
package tools

import (
	"context"
	"slices"
	"strings"

	"duet/dispatch"
	"duet/internal/fault"
)

// all is every command, in the order of initialisation.
var all []*dispatch.Command

// All returns every command, sorted by verb.
func All() []*dispatch.Command {
	commands := slices.Clone(all)
	slices.SortFunc(commands, func(a, b *dispatch.Command) int { return strings.Compare(a.Verb, b.Verb) })
	return commands
}

// declare makes a command of its specification and handler and adds it to all.
// Whether it acts is the handler's type.
func declare[C dispatch.Kind, A, R any](s dispatch.Spec, run func(context.Context, C, A) (R, error), opts ...dispatch.Option) *dispatch.Command {
	return add(dispatch.Define(s, run, opts...))
}

// declareSplit makes a command that acts or looks, by the value of one argument.
func declareSplit[A, R any](s dispatch.Spec, by string, reading []string,
	read func(context.Context, *dispatch.Read, A) (R, error), act func(context.Context, *dispatch.Act, A) (R, error)) *dispatch.Command {
	return add(dispatch.DefineSplit(s, by, reading, read, act))
}

func add(c *dispatch.Command) *dispatch.Command {
	all = append(all, c)
	return c
}

// What commands of a kind fail with; each adds its own.
var (
	onPage    = failing(fault.DialogOpen, fault.Timeout)
	onRef     = onPage.and(fault.StaleRef, fault.BareRef, fault.InvalidArgument)
	onElement = onRef.and(fault.NoMatch, fault.Ambiguous)
	onFocus   = onElement.and(fault.NotVisible, fault.NotEnabled, fault.ClickIntercepted) // behind a modal dialog
	withMouse = onFocus.and(fault.Moving)
)

// codes is a set of codes to declare.
type codes []fault.Code

func failing(more ...fault.Code) codes { return more }

func (c codes) and(more ...fault.Code) codes { return slices.Concat(c, more) }

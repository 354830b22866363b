package app

import (
	"context"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/fault"
)

// followed is the verb that -f keeps printing.
const followed = "logs"

// following takes -f out of the words of a command line, where it is one.
func following(v *verb, rest []string) ([]string, bool) {
	i := followFlag(rest)
	if v.Name != followed || i < 0 {
		return rest, false
	}
	return slices.Delete(slices.Clone(rest), i, i+1), true
}

// followFlag returns where -f stands before what is no flag any more, -1 for nowhere.
func followFlag(rest []string) int {
	end := slices.Index(rest, "--")
	if end < 0 {
		end = len(rest)
	}
	return slices.IndexFunc(rest[:end], func(s string) bool { return s == "-f" || s == "--follow" })
}

// unfollowed refuses -f where a verb of the log would take it for a value.
func unfollowed(v *verb, rest []string) error {
	if v.cmd.Tool != "browser_logs" || followFlag(rest) < 0 {
		return nil
	}
	return usage("-f goes with duet logs, not with duet %s", v.Name)
}

// followWait is how long one wait for the next entry lasts.
const followWait = 60_000

// follow prints what the log holds, and then each new entry until it is
// interrupted, which is no failure.
func (a *App) follow(ctx context.Context, v *verb, before, rest []string) (*globals, error) {
	k, g, cmd, err := v.parser()
	if err != nil {
		return nil, err
	}
	l, err := v.parse(k, g, before, rest)
	if err != nil || g.Help || g.Version {
		return a.verb(ctx, nil, v, before, rest)
	}
	if g.Ephemeral {
		return g, usage("-f follows the log of a session, and --ephemeral has none that lasts")
	}
	c, err := wire(v, cmd, l, g, a.Stdin)
	if err != nil {
		return g, err
	}
	var filter map[string]json.RawMessage
	if err := json.Unmarshal(c.args, &filter); err != nil {
		return g, err
	}
	if action := filter["action"]; action != nil && string(action) != `"list"` {
		return g, usage("-f goes with duet logs and its filters, not with another action")
	}
	if err := check(dispatch.NewRegistry(a.commands(), g.access()), v, c); err != nil {
		return g, err
	}
	err = a.followLog(ctx, g, c, filter)
	if ctx.Err() != nil {
		err = nil
	}
	return g, err
}

func (a *App) followLog(ctx context.Context, g *globals, c call, filter map[string]json.RawMessage) error {
	action := "list"
	for {
		filter["action"] = quoteText(action)
		if action == "wait" {
			filter[timeoutField] = quoteInt(followWait)
		}
		args, err := marshal(filter)
		if err != nil {
			return err
		}
		r, err := a.ask(ctx, g, call{tool: c.tool, args: args, verb: c.verb})
		switch {
		case err != nil:
			return err
		case r.code() == fault.Timeout && action == "wait":
			continue // nothing yet
		case r.isError || r.wrong != nil:
			return a.print(r, g.JSON)
		}
		var answer struct {
			Result struct {
				Entries []json.RawMessage `json:"entries"`
				Cursor  int               `json:"logCursor"`
			} `json:"result"`
		}
		if err := json.Unmarshal(r.structured, &answer); err != nil {
			return lostDaemon(err)
		}
		if len(answer.Result.Entries) > 0 {
			r.text = entryLines(r.text)
			if err := a.print(r, g.JSON); err != nil {
				return err
			}
		}
		filter["since"] = quoteInt(answer.Result.Cursor)
		action = "wait"
	}
}

// entryLines are the lines of a log without where it stands.
func entryLines(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "logCursor: ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func quoteText(s string) []byte {
	b, _ := marshal(s) // a text always marshals
	return b
}

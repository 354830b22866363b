package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"duet/artifacts"
	"duet/internal/fault"
)

type artifactsArgs struct {
	Action string `arg:"" optional:"" help:"list, show or clean."`
	Name   string `arg:"" optional:"" help:"For show: the artifact's name or path. For list: a session, by its name or its directory's."`
	All    bool   `name:"all" help:"For list: every file, not the newest 40 alone."`
	Older  string `name:"older" placeholder:"AGE" help:"For clean: what was written longer ago than this, such as 24h. Default: 168h."`
}

// listedArtifacts is how many files are listed unasked, the newest.
const listedArtifacts = 40

// artifactsProgram is `duet artifacts`: what sessions have left behind.
func artifactsProgram(ctx context.Context, a *App, r *programRun) error {
	args := r.cmd.(*artifactsArgs)
	switch args.Action {
	case "list", "":
		all, err := artifacts.List("")
		if err != nil {
			return err
		}
		if args.Name != "" {
			all = slices.DeleteFunc(all, func(s artifacts.Stored) bool { return !s.Of(args.Name) })
			if len(all) == 0 {
				return fault.New(fault.InvalidArgument, "no session %s has left a file", clip(args.Name)).WithHint("duet artifacts list names what there is")
			}
		}
		var b strings.Builder
		var bytes int64
		left := max(0, len(all)-listedArtifacts)
		if args.All {
			left = 0
		}
		if left > 0 {
			fmt.Fprintf(&b, "(%d older files: duet artifacts list --all)\n", left)
		}
		for i, s := range all {
			bytes += s.Bytes
			if i < left {
				continue
			}
			kind := ""
			if s.Files > 0 {
				kind = fmt.Sprintf("/  (%d files)", s.Files)
			}
			fmt.Fprintf(&b, "%s  %9d  %s%s\n", s.Time.Local().Format(time.DateTime), s.Bytes, s.Path, kind)
		}
		fmt.Fprintf(&b, "%d files, %d bytes\n", len(all), bytes)
		if all == nil {
			all = []artifacts.Stored{}
		}
		return a.object(r.g, map[string]any{"artifacts": all[left:], "older": left, "bytes": bytes}, b.String())
	case "show":
		if args.Name == "" {
			return usage("show takes the name of an artifact: duet artifacts list has them")
		}
		s, of, err := artifacts.Find("", args.Name)
		if err != nil {
			return err
		}
		if of > 1 {
			fmt.Fprintf(a.Stderr, "note: %d artifacts are called so; this is the newest: %s\n", of, s.Path)
		}
		if r.g.JSON {
			return a.object(r.g, s, "")
		}
		return s.Copy(a.Stdout)
	case "clean":
		keep := artifacts.KeepFor
		if args.Older != "" {
			var err error
			if keep, err = time.ParseDuration(args.Older); err != nil || keep < 0 {
				return usage("--older takes an age such as 24h or 30m, not %s", clip(args.Older))
			}
		}
		n, err := artifacts.Clean("", keep)
		if err != nil {
			return fault.From(err)
		}
		return a.object(r.g, map[string]any{"sessions_removed": n}, fmt.Sprintf("%d sessions' files removed; those of sessions that run stay\n", n))
	}
	return usage("artifacts takes list, show or clean, not %s", clip(args.Action)).meant(args.Action, []string{"list", "show", "clean"})
}

package app

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

//go:embed skill/*.md
var skillFiles embed.FS

const agentAll = "all"

// agentNames are the values of --agent.
var agentNames = []string{"claude", "codex", "copilot", agentAll}

type initArgs struct {
	MCP    bool   `name:"mcp" help:"Print the MCP configuration of hosts, and install nothing."`
	Agent  string `name:"agent" placeholder:"NAME" help:"claude, codex, copilot or all. Default: all."`
	DryRun bool   `name:"dry-run" help:"Say what would be written, and write nothing."`
}

// manifestName is the file that says which files of a skill are duet's, by hash.
const manifestName = ".duet-manifest.json"

type manifest struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // name -> SHA-256 in hex
}

// installed is what became of one copy of the skill.
type installed struct {
	Path   string `json:"path"` // below the project
	Action string `json:"action"`
}

// initProgram installs the skill into the project and prints host configurations.
// It never reads or changes a host's configuration.
func initProgram(_ context.Context, a *App, r *programRun) error {
	args := r.cmd.(*initArgs)
	if args.Agent != "" && !slices.Contains(agentNames, args.Agent) {
		return usage("--agent must be one of %s, not %q", list(agentNames), clip(args.Agent)).meant(args.Agent, agentNames)
	}
	out := struct {
		Skills []installed `json:"skills,omitempty"`
		Hosts  []host      `json:"hosts"`
	}{Hosts: hostsOf(args.Agent)}
	text := ""
	if !args.MCP {
		root := projectRoot() // nothing of a daemon is made for it
		if root == nil {
			return fault.New(fault.StateInvalid, "the project directory cannot be read")
		}
		var err error
		if out.Skills, err = installSkills(root[0], args.Agent, args.DryRun); err != nil {
			return err
		}
		for _, s := range out.Skills {
			text += s.Path + ": " + s.Action + "\n"
		}
		text += "\n"
	}
	return a.object(r.g, out, text+hostsText(out.Hosts))
}

// skillDirs are where an agent looks for skills, below the project.
func skillDirs(root, agent string) []string {
	claude, agents, github := ".claude/skills/duet", ".agents/skills/duet", ".github/skills/duet"
	switch agent {
	case "claude":
		return []string{claude}
	case "codex":
		return []string{agents}
	case "copilot":
		return []string{github}
	}
	dirs := []string{claude, agents}
	if _, err := os.Lstat(filepath.Join(root, github, manifestName)); err == nil {
		dirs = append(dirs, github) // one that is there is kept in step
	}
	return dirs
}

// installSkills puts the skill into every directory, or, where one of them holds
// anything that is not duet's, into none.
func installSkills(root, agent string, dry bool) ([]installed, error) {
	files, want, err := skill()
	if err != nil {
		return nil, err
	}
	var out []installed
	var foreign []string
	for _, dir := range skillDirs(root, agent) {
		action, bad := inspect(root, dir, want)
		out = append(out, installed{dir, action})
		foreign = append(foreign, bad...)
	}
	if len(foreign) > 0 {
		return nil, fault.New(fault.StateInvalid, "nothing was written: %s", strings.Join(foreign, "; ")).
			WithHint("move these away, or install for one agent with --agent")
	}
	for i := range out {
		switch {
		case out[i].Action == upToDate:
		case dry:
			out[i].Action = "would be " + out[i].Action
		default:
			if err := writeSkill(filepath.Join(root, out[i].Path), files, want); err != nil {
				return out, fault.New(fault.StateInvalid, "%s: %v", out[i].Path, err).At(fault.InEffect, fault.Partial).Because(err)
			}
		}
	}
	return out, nil
}

const upToDate = "up to date"

// skill is the files of the skill and their manifest.
func skill() (map[string][]byte, manifest, error) {
	m := manifest{Version: version(), Files: map[string]string{}}
	files := map[string][]byte{}
	entries, err := fs.ReadDir(skillFiles, "skill")
	for _, e := range entries {
		text, readErr := skillFiles.ReadFile("skill/" + e.Name())
		err = errors.Join(err, readErr)
		files[e.Name()], m.Files[e.Name()] = text, hash(text)
	}
	return files, m, err
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// inspect says what installing would do to a directory, or what in it, or on the
// way to it, is not duet's.
func inspect(root, dir string, want manifest) (action string, foreign []string) {
	way := root
	for part := range strings.SplitSeq(dir, "/") {
		way = filepath.Join(way, part)
		info, err := os.Lstat(way)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "installed", nil
		case err != nil:
			return "", []string{err.Error()}
		case info.Mode()&fs.ModeSymlink != 0:
			return "", []string{way + " is a symbolic link"}
		case !info.IsDir():
			return "", []string{way + " is no directory"}
		}
	}
	text, err := os.ReadFile(filepath.Join(way, manifestName))
	if err != nil {
		return "", []string{dir + " is not duet's: it has no manifest"}
	}
	var have manifest
	if json.Unmarshal(text, &have) != nil || len(have.Files) == 0 {
		return "", []string{dir + "/" + manifestName + " cannot be read"}
	}
	entries, err := os.ReadDir(way)
	if err != nil {
		return "", []string{err.Error()}
	}
	for _, e := range entries {
		name := e.Name()
		if name == manifestName {
			continue
		}
		sum, ours := have.Files[name]
		body, err := os.ReadFile(filepath.Join(way, name))
		switch {
		case !ours:
			foreign = append(foreign, dir+"/"+name+" is not duet's")
		case e.Type()&fs.ModeSymlink != 0:
			foreign = append(foreign, dir+"/"+name+" is a symbolic link")
		case err != nil || hash(body) != sum:
			foreign = append(foreign, dir+"/"+name+" was edited")
		}
	}
	if len(entries)-1 == len(want.Files) && sameFiles(have.Files, want.Files) {
		return upToDate, foreign
	}
	return "updated", foreign
}

func sameFiles(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, sum := range a {
		if b[name] != sum {
			return false
		}
	}
	return true
}

// writeSkill puts a whole new directory in the place of the old one.
func writeSkill(dir string, files map[string][]byte, m manifest) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(parent, ".duet-new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh) // gone already where all went well
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	for name, body := range files {
		if err := os.WriteFile(filepath.Join(fresh, name), body, 0o644); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(fresh, manifestName), append(text, '\n'), 0o644); err != nil {
		return err
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	old := fresh + "-old"
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return errors.Join(err, os.Rename(old, dir))
	}
	return os.RemoveAll(old)
}

type skillArgs struct {
	File string `arg:"" optional:"" help:"A file of the skill. Default: SKILL.md."`
}

// skillProgram prints the skill, for agents that read it from the program.
func skillProgram(_ context.Context, a *App, r *programRun) error {
	files, m, err := skill()
	if err != nil {
		return err
	}
	name := r.cmd.(*skillArgs).File
	if name == "" {
		name = "SKILL.md"
	}
	var names []string
	for n := range m.Files {
		names = append(names, n)
		if strings.TrimSuffix(n, ".md") == name {
			name = n
		}
	}
	slices.Sort(names)
	text, ok := files[name]
	if !ok {
		return usage("the skill has %s, not %s", list(names), clip(name)).meant(name, names)
	}
	if r.g.JSON {
		return a.object(r.g, map[string]any{"file": name, "text": string(text), "files": names}, "")
	}
	_, err = a.Stdout.Write(text)
	if err == nil && name == "SKILL.md" {
		_, err = fmt.Fprintf(a.Stdout, "\n(more: duet skill selectors, duet skill patterns)\n")
	}
	return err
}

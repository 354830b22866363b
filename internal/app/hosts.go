package app

import (
	"fmt"
	"strings"
)

// host is a program that starts MCP servers, and how it is told of this one.
type host struct {
	Name   string `json:"host"`
	File   string `json:"file"`
	Config string `json:"config"`
	Also   string `json:"command,omitempty"` // a command line that does the same
	agents string // values of --agent that mean it
}

const serversJSON = `{
  "mcpServers": {
    "duet": { "command": "duet", "args": ["mcp"] }
  }
}
`

// hosts are printed in this order.
var hosts = []host{
	{"Claude Code", ".mcp.json", serversJSON, "claude mcp add --scope project duet -- duet mcp", "claude"},
	{"VS Code", ".vscode/mcp.json", `{
  "servers": {
    "duet": { "type": "stdio", "command": "duet", "args": ["mcp"] }
  }
}
`, "", "copilot"},
	{"Copilot CLI", "~/.copilot/mcp-config.json", `{
  "mcpServers": {
    "duet": { "type": "local", "command": "duet", "args": ["mcp"], "tools": ["*"] }
  }
}
`, "", "copilot"},
	{"Codex", ".codex/config.toml, in a trusted project, or ~/.codex/config.toml", `[mcp_servers.duet]
command = "duet"
args = ["mcp"]
`, "codex mcp add duet -- duet mcp", "codex"},
	{"Cursor", ".cursor/mcp.json", serversJSON, "", ""},
	{"Windsurf", "~/.codeium/windsurf/mcp_config.json", serversJSON, "", ""},
	{"Zed", "~/.config/zed/settings.json", `{
  "context_servers": {
    "duet": { "source": "custom", "command": "duet", "args": ["mcp"], "env": {} }
  }
}
`, "", ""},
	{"Gemini CLI", ".gemini/settings.json", serversJSON, "gemini mcp add duet duet mcp", ""},
	{"Goose", "~/.config/goose/config.yaml", `extensions:
  duet:
    enabled: true
    type: stdio
    name: duet
    cmd: duet
    args: [mcp]
    timeout: 300
`, "", ""},
}

// hostsOf are the hosts that an agent's name means; all where it names none.
func hostsOf(agent string) []host {
	if agent == "" || agent == agentAll {
		return hosts
	}
	var some []host
	for _, h := range hosts {
		if h.agents == agent {
			some = append(some, h)
		}
	}
	return some
}

// hostsText prints configurations for a person to put where they belong.
func hostsText(hs []host) string {
	var b strings.Builder
	b.WriteString("MCP configuration, to put in place by hand: nothing of it was read or written.\n")
	for _, h := range hs {
		fmt.Fprintf(&b, "\n%s: %s\n\n%s", h.Name, h.File, indented(h.Config))
		if h.Also != "" {
			fmt.Fprintf(&b, "\nor: %s\n", h.Also)
		}
	}
	return b.String()
}

func indented(s string) string {
	return "    " + strings.TrimSuffix(strings.ReplaceAll(s, "\n", "\n    "), "    ")
}

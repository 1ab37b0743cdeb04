package install

import (
	"path/filepath"
	"strings"
	"testing"
)

// What there is to be found, by what the files hold; and nothing else is.
func TestFindings(t *testing.T) {
	const plugin = `"enabledPlugins": {"sage@git-sage": true}`
	const asked = `"hooks": {"Stop": [{"hooks": [{"type": "mcp_tool", "server": "sage", "tool": "sage_hook"}]}]}`
	hook := func(command string) string {
		return `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "` + command + `"}]}]}}`
	}
	type texts map[string]string
	for name, tt := range map[string]struct {
		install bool
		files   texts // "user", "project", "local" and "managed" settings, "state", ".mcp.json", "managed.d", "managed-mcp"
		detail  []string
		cure    string
	}{
		"nothing":        {},
		"all is well":    {install: true},
		"not read":       {install: true, files: texts{"managed": "{"}},
		"old hook":       {files: texts{"user": hook("~/.claude/hooks/post-response-context-check.sh")}, detail: []string{"a hook of claude-sage is still in USER: '~/.claude/hooks/post-response-context-check.sh'"}, cure: "git sage import claude-sage --remove-hooks"},
		"somebody's own": {files: texts{"user": hook("~/.claude/hooks/pre-compact.sh")}},
		"old server":     {files: texts{"state": `{"mcpServers": {"memory": {"command": "python", "args": ["-m", "sage.mcp_server"]}}}`}, detail: []string{"a server of claude-sage is still in STATE: 'python -m sage.mcp_server'"}, cure: "git sage import claude-sage --remove-hooks"},
		"in a project":   {files: texts{"state": `{"projects": {"ROOT": {"mcpServers": {"sage": {"command": "sage-mcp"}}}}}`}, detail: []string{"a server of claude-sage"}, cure: "git sage import claude-sage --remove-hooks"},
		"hooks off":      {install: true, files: texts{"project": `{"disableAllHooks": true}`}, detail: []string{"PROJECT switches off all hooks"}, cure: "remove disableAllHooks from PROJECT"},
		"off and on":     {install: true, files: texts{"project": `{"disableAllHooks": true}`, "local": `{"disableAllHooks": false}`}},
		"off, no hooks":  {files: texts{"project": `{"disableAllHooks": true}`}},
		"server off":     {install: true, files: texts{"state": `{"projects": {"ROOT": {"disabledMcpServers": ["x", "sage"]}}}`}, detail: []string{"the server is switched off here, in STATE"}, cure: "'/mcp'"},
		"plugin's off":   {files: texts{"user": "{" + plugin + "}", "state": `{"projects": {"ROOT": {"disabledMcpServers": ["plugin:sage:sage"]}}}`}, detail: []string{"the server is switched off here, in STATE"}},
		"project's off":  {files: texts{".mcp.json": `{"mcpServers": {"sage": {"command": "git-sage", "args": ["mcp"]}}}`, "local": `{"disabledMcpjsonServers": ["sage"]}`}, detail: []string{"the server is switched off here, in LOCAL"}},
		"managed hooks":  {install: true, files: texts{"managed": `{"allowManagedHooksOnly": true}`}, detail: []string{"MANAGED allows only its own hooks"}, cure: "ask who manages"},
		"managed off":    {install: true, files: texts{"managed.d": `{"disableAllHooks": true}`}, detail: []string{"allows only its own hooks"}},
		"denied":         {install: true, files: texts{"managed": `{"deniedMcpServers": [{"serverName": "sage"}]}`}, detail: []string{"forbids a server 'sage'"}},
		"not allowed":    {install: true, files: texts{"managed": `{"allowedMcpServers": [{"serverName": "x"}]}`}, detail: []string{"does not allow a server 'sage'"}},
		"allowed":        {install: true, files: texts{"managed": `{"allowedMcpServers": [{"serverName": "sage"}]}`}},
		"by its command": {install: true, files: texts{"managed": `{"allowedMcpServers": [{"serverCommand": ["git-sage"]}]}`}},
		"managed server": {install: true, files: texts{"managed-mcp": `{}`}, detail: []string{"allows only its own servers"}},
		"not trusted":    {install: true, files: texts{"state": `{"projects": {"ROOT": {"hasTrustDialogAccepted": false}}}`}, detail: []string{"does not trust"}, cure: "start 'claude' there"},
		"trusted":        {install: true, files: texts{"state": `{"projects": {"ROOT": {"hasTrustDialogAccepted": true}}}`}},
		"above":          {install: true, files: texts{"state": `{"projects": {"/": {"hasTrustDialogAccepted": true}, "ROOT": {"hasTrustDialogAccepted": false}}}`}},
		"twice":          {install: true, files: texts{"project": hook("git-sage hook stop")}, detail: []string{"hooks are called twice: '/opt/bin/git-sage' in USER, and 'git-sage' in PROJECT"}, cure: "git sage hooks uninstall --scope project"},
		"the same twice": {install: true, files: texts{"local": hook(bin + " hook stop")}},
		"asked and run":  {install: true, files: texts{"local": "{" + asked + "}"}, detail: []string{"hooks are called twice"}},
		"tools twice":    {files: texts{"user": "{" + plugin + "}", ".mcp.json": `{"mcpServers": {"sage": {"command": "git-sage", "args": ["mcp", "serve"]}}}`}, detail: []string{"every tool is shown twice"}, cure: "git sage mcp install --scope local"},
	} {
		p := newPlace(t)
		p.Managed = filepath.Join(p.Home, "managed")
		paths := texts{
			"user": p.mustPath(t, Hooks, User), "project": p.mustPath(t, Hooks, Project), "local": p.mustPath(t, Hooks, Local),
			"state": p.mustPath(t, MCP, User), ".mcp.json": p.mustPath(t, MCP, Project), "managed": filepath.Join(p.Managed, "managed-settings.json"),
			"managed.d": filepath.Join(p.Managed, "managed-settings.d", "10.json"), "managed-mcp": filepath.Join(p.Managed, "managed-mcp.json"),
		}
		named := strings.NewReplacer("USER", paths["user"], "PROJECT", paths["project"], "LOCAL", paths["local"], "STATE", paths["state"], "MANAGED", paths["managed"], "ROOT", p.editor().Project())
		for file, text := range tt.files {
			put(t, paths[file], named.Replace(text))
		}
		if tt.install {
			do(t, p.Install, Hooks, User)
		}
		got := p.Findings()
		for i, want := range tt.detail {
			if len(got) != len(tt.detail) || !strings.Contains(got[i].Detail, named.Replace(want)) || !strings.Contains(got[i].Cure, named.Replace(tt.cure)) || got[i].Cure == "" {
				t.Errorf("%s: %q, want %q, %q", name, got, named.Replace(want), tt.cure)
			}
		}
		if len(tt.detail) == 0 && len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
		if p.Client = "gemini"; len(p.Findings()) > 0 {
			t.Errorf("%s: these are of Gemini CLI: %q", name, p.Findings())
		}
	}
}

package status

import (
	"path/filepath"
	"runtime"

	"github.com/git-sage/git-sage/hooks/install/internal/disk"
	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
)

// managed finds what the machine's administrator does not let run.
func (p Viewer) managed() (list []Finding) {
	dir := p.managedDir()
	files, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json")) // of a pattern that is one
	for _, path := range append([]string{filepath.Join(dir, "managed-settings.json")}, files...) {
		d := p.ReadFile(path)
		if d == nil {
			continue
		}
		const cure = "ask who manages this machine"
		if d.Root.Get("disableAllHooks").IsTrue(d.Src) || d.Root.Get("allowManagedHooksOnly").IsTrue(d.Src) {
			list = append(list, Finding{path + " allows only its own hooks: sessions get no memory", cure})
		}
		if names(d, "deniedMcpServers")[entry.Server] {
			list = append(list, Finding{path + " forbids a server '" + entry.Server + "'", cure})
		}
		if allowed := d.Root.Get("allowedMcpServers"); allowed != nil && allowed.Kind == '[' && !names(d, "allowedMcpServers")[entry.Server] && !names(d, "allowedMcpServers")[""] {
			list = append(list, Finding{path + " does not allow a server '" + entry.Server + "'", cure})
		}
	}
	if path := filepath.Join(dir, "managed-mcp.json"); disk.Exists(path) {
		list = append(list, Finding{path + " allows only its own servers", "ask who manages this machine"})
	}
	return list
}

// names are the servers of a list of the administrator's; "" is one that goes by
// something else than a name.
func names(d *draft.Draft, list string) map[string]bool {
	all := map[string]bool{}
	if n := d.Root.Get(list); n != nil && n.Kind == '[' {
		for _, it := range n.Items {
			all[it.Value.Get("serverName").Text(d.Src)] = true
		}
	}
	return all
}

// managedDir is where Claude Code looks for what an administrator says (read in 2.1.329).
func (p Viewer) managedDir() string {
	switch {
	case p.Managed != "":
		return p.Managed
	case runtime.GOOS == "darwin":
		return "/Library/Application Support/ClaudeCode"
	case runtime.GOOS == "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// Package predecessor finds the entries of claude-sage, the tool that git-sage succeeds.
package predecessor

import (
	"regexp"
	"slices"
	"sync"

	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// The tool that git-sage succeeds runs a server of Python, and hooks that are
// shell scripts of these names.
var (
	hookPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`post-response-semantic-detector\.sh|post-response-context-check\.sh|sage[^ ]*/pre-compact\.sh`)
	})
	thirdPattern  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.claude/hooks/pre-compact\.sh`) })
	serverPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bsage[./]mcp_server|\bclaude-sage\b|\bsage-mcp\b`) })
)

// Notes names the entries of that tool: they are somebody's to remove,
// not ours.
func Notes(src []byte, root *jsonc.Node) (notes []string) {
	for _, at := range Hooks(src, root) {
		notes = append(notes, "a hook of claude-sage is still there: "+entry.Shown(at))
	}
	for _, at := range Commands(src, root.Get("mcpServers")) {
		if IsServer(at) {
			notes = append(notes, "a server of claude-sage is still there: "+entry.Shown(at))
		}
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// Hooks are the commands of its hooks. The third has a name that anybody may give, and
// counts beside another only.
func Hooks(src []byte, root *jsonc.Node) (list []string) {
	var third []string
	for _, c := range Commands(src, root.Get("hooks")) {
		if hookPattern().MatchString(c) {
			list = append(list, c)
		} else if thirdPattern().MatchString(c) {
			third = append(third, c)
		}
	}
	if len(list) > 0 {
		list = append(list, third...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Sites tells where its entries lie in a file: hooks, or servers at the end of a path of keys. Of
// what becomes of the file it finds those that were there: a hook that counts beside another
// only counts when that is gone as well.
func Sites(src []byte, root *jsonc.Node, servers []string) func(src []byte, root *jsonc.Node) []entry.Site {
	theirs := Hooks(src, root)
	return func(src []byte, root *jsonc.Node) []entry.Site {
		if root == nil {
			return nil
		}
		if servers != nil {
			return entry.SitesThat(root, servers, func(n *jsonc.Node) bool { return slices.ContainsFunc(Commands(src, n), IsServer) })
		}
		return entry.SitesThat(root, nil, func(n *jsonc.Node) bool {
			c := Commands(src, n)
			return len(c) == 1 && slices.Contains(theirs, c[0])
		})
	}
}

// Commands are all command lines below a node.
func Commands(src []byte, n *jsonc.Node) (list []string) {
	if n == nil {
		return nil
	}
	if c := n.Get("command").Text(src); c != "" {
		for _, a := range n.Get("args").Texts(src) {
			c += " " + a
		}
		list = append(list, c)
	}
	for _, it := range n.Items {
		list = append(list, Commands(src, it.Value)...)
	}
	return list
}

// IsServer says whether a command starts the server of that tool.
func IsServer(command string) bool { return serverPattern().MatchString(command) }

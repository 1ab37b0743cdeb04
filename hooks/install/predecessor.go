package install

import (
	"regexp"
	"slices"
	"strconv"
	"sync"
)

// The tool that git-sage succeeds runs a server of Python, and hooks that are
// shell scripts of these names.
var (
	oldHook = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`post-response-semantic-detector\.sh|post-response-context-check\.sh|sage[^ ]*/pre-compact\.sh`)
	})
	oldThird  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.claude/hooks/pre-compact\.sh`) })
	oldServer = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bsage[./]mcp_server|\bclaude-sage\b|\bsage-mcp\b`) })
)

// predecessors names the entries of that tool: they are somebody's to remove,
// not ours.
func predecessors(src []byte, root *node) (notes []string) {
	for _, at := range oldHooks(src, root) {
		notes = append(notes, "a hook of claude-sage is still there: "+shown(at))
	}
	for _, at := range commands(src, root.get("mcpServers")) {
		if oldServer().MatchString(at) {
			notes = append(notes, "a server of claude-sage is still there: "+shown(at))
		}
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// oldHooks are the commands of its hooks. The third has a name that anybody may give, and
// counts beside another only.
func oldHooks(src []byte, root *node) (list []string) {
	var third []string
	for _, c := range commands(src, root.get("hooks")) {
		if oldHook().MatchString(c) {
			list = append(list, c)
		} else if oldThird().MatchString(c) {
			third = append(third, c)
		}
	}
	if len(list) > 0 {
		list = append(list, third...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// commands are all command lines below a node.
func commands(src []byte, n *node) (list []string) {
	if n == nil {
		return nil
	}
	if c := n.get("command").text(src); c != "" {
		for _, a := range n.get("args").texts(src) {
			c += " " + a
		}
		list = append(list, c)
	}
	for _, it := range n.items {
		list = append(list, commands(src, it.val)...)
	}
	return list
}

// shown quotes text out of a file for people: short, and with nothing in it
// that a terminal would obey.
func shown(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "..."
	}
	q := strconv.QuoteToGraphic(s)
	return "'" + q[1:len(q)-1] + "'"
}

// Package entry knows what our entries look like, hooks and the server, and finds them in a
// client's file.
package entry

import (
	"path"
	"strings"

	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// isProgram says whether a command is git-sage, by whatever path.
func isProgram(command, bin string) bool {
	base := path.Base(strings.ReplaceAll(command, `\`, "/"))
	return command != "" && (command == bin || strings.TrimSuffix(base, ".exe") == Program)
}

// isHook says whether an entry among the hooks is ours: `git-sage hook ...`,
// with its arguments apart or as a line for the shell, or a call of our server.
func isHook(src []byte, n *jsonc.Node, bin string) bool {
	if IsAsked(src, n) {
		return true
	}
	command := n.Get("command").Text(src)
	if args := n.Get("args").Texts(src); len(args) > 0 {
		return args[0] == "hook" && isProgram(command, bin)
	}
	name, rest, ok := strings.Cut(command, " hook ")
	return ok && rest != "" && isProgram(strings.Trim(name, `"' `), bin)
}

// isServer says whether an entry among the servers runs git-sage.
func isServer(src []byte, n *jsonc.Node, bin string) bool {
	command, args := Invocation(src, n)
	return len(args) > 0 && args[0] == "mcp" && isProgram(command, bin)
}

// Invocation is what an entry runs: a program with its arguments apart, or all of it
// in one list.
func Invocation(src []byte, n *jsonc.Node) (command string, args []string) {
	if list := n.Get("command").Texts(src); len(list) > 0 {
		return list[0], list[1:]
	}
	return n.Get("command").Text(src), n.Get("args").Texts(src)
}

// IsAsked says whether an entry among the hooks calls our server.
func IsAsked(src []byte, n *jsonc.Node) bool {
	return n.Get("tool").Text(src) == HookTool && n.Get("server").Text(src) == Server
}

package install

import (
	"path"
	"strings"
)

// isProgram says whether a command is git-sage, by whatever path.
func isProgram(command, bin string) bool {
	base := path.Base(strings.ReplaceAll(command, `\`, "/"))
	return command != "" && (command == bin || strings.TrimSuffix(base, ".exe") == program)
}

// isHook says whether an entry among the hooks is ours: `git-sage hook ...`,
// with its arguments apart or as a line for the shell, or a call of our server.
func isHook(src []byte, n *node, bin string) bool {
	if isAsked(src, n) {
		return true
	}
	command := n.get("command").text(src)
	if args := n.get("args").texts(src); len(args) > 0 {
		return args[0] == "hook" && isProgram(command, bin)
	}
	name, rest, ok := strings.Cut(command, " hook ")
	return ok && rest != "" && isProgram(strings.Trim(name, `"' `), bin)
}

// isServer says whether an entry among the servers runs git-sage.
func isServer(src []byte, n *node, bin string) bool {
	command, args := invocation(src, n)
	return len(args) > 0 && args[0] == "mcp" && isProgram(command, bin)
}

// invocation is what an entry runs: a program with its arguments apart, or all of it
// in one list.
func invocation(src []byte, n *node) (command string, args []string) {
	if list := n.get("command").texts(src); len(list) > 0 {
		return list[0], list[1:]
	}
	return n.get("command").text(src), n.get("args").texts(src)
}

// A site is an entry of ours, with the containers on the way to it: step i is
// item at[i] of on[i].
type site struct {
	on    []*node
	at    []int
	val   *node
	event string // of a hook
	table *table // in TOML, in place of all that
}

func (s site) into(n *node, i int) site {
	s.on = append(s.on[:len(s.on):len(s.on)], n)
	s.at = append(s.at[:len(s.at):len(s.at)], i)
	s.val = n.items[i].val
	return s
}

// hookSites are our hooks, of all events, in the order of the file.
func hookSites(src []byte, root *node, bin string) (list []site) {
	i := root.find("hooks")
	if i < 0 || root.items[i].val.kind != '{' {
		return nil
	}
	all := site{}.into(root, i)
	for e := range all.val.items {
		event := all.into(all.val, e)
		event.event = all.val.items[e].key
		for g := range event.val.items {
			if event.val.kind != '[' {
				continue
			}
			grp := event.into(event.val, g)
			h := grp.val.find("hooks")
			if h < 0 || grp.val.items[h].val.kind != '[' {
				continue
			}
			hooks := grp.into(grp.val, h)
			for k := range hooks.val.items {
				if one := hooks.into(hooks.val, k); isHook(src, one.val, bin) {
					list = append(list, one)
				}
			}
		}
	}
	return list
}

// serverSites are our servers: the one at the end of a path of keys, or all
// that a file has if there is none.
func serverSites(src []byte, root *node, bin string, path []string) (list []site) {
	if path != nil {
		return serverAt(src, site{val: root}, bin, path)
	}
	list = serverAt(src, site{val: root}, bin, []string{"mcpServers"})
	if projects := root.get("projects"); projects != nil && projects.kind == '{' {
		for _, it := range projects.items {
			list = append(list, serverAt(src, site{val: root}, bin, []string{"projects", it.key, "mcpServers"})...)
		}
	}
	return list
}

func serverAt(src []byte, s site, bin string, path []string) []site {
	for _, key := range append(path[:len(path):len(path)], server) {
		i := s.val.find(key)
		if i < 0 {
			return nil
		}
		s = s.into(s.val, i)
	}
	if !isServer(src, s.val, bin) {
		return nil
	}
	return []site{s}
}

// isAsked says whether an entry among the hooks calls our server.
func isAsked(src []byte, n *node) bool {
	return n.get("tool").text(src) == HookTool && n.get("server").text(src) == server
}

func (s site) name() string {
	if s.event != "" {
		return "hook " + s.event
	}
	return "server '" + server + "'"
}

// program is what an entry runs.
func (s site) program(src []byte) string {
	if s.table != nil {
		return s.table.program()
	}
	command, _ := invocation(src, s.val)
	if s.event != "" && s.val.get("args") == nil {
		command, _, _ = strings.Cut(command, " hook ")
		command = strings.Trim(command, `"' `)
	}
	return command
}

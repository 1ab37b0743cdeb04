package entry

import (
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// A Site is an entry of ours, with the containers on the way to it: step i is
// item At[i] of On[i].
type Site struct {
	On    []*jsonc.Node
	At    []int
	Value *jsonc.Node
	Event string // of a hook
	Table *Table // in TOML, in place of all that
}

func (s Site) enter(n *jsonc.Node, i int) Site {
	s.On = append(s.On[:len(s.On):len(s.On)], n)
	s.At = append(s.At[:len(s.At):len(s.At)], i)
	s.Value = n.Items[i].Value
	return s
}

// HookSites are our hooks, of all events, in the order of the file.
func HookSites(src []byte, root *jsonc.Node, bin string) []Site {
	return hooksThat(root, func(n *jsonc.Node) bool { return isHook(src, n, bin) })
}

// SitesThat are the entries of a file that are wanted, whoever's they are: its hooks, or the
// servers at the end of a path of keys, whatever they are called.
func SitesThat(root *jsonc.Node, servers []string, wanted func(*jsonc.Node) bool) []Site {
	if servers == nil {
		return hooksThat(root, wanted)
	}
	return serversThat(root, servers, wanted)
}

// hooksThat are the hooks of a file that are wanted, of all events, in the order of the file.
func hooksThat(root *jsonc.Node, wanted func(*jsonc.Node) bool) (list []Site) {
	i := root.Find("hooks")
	if i < 0 || root.Items[i].Value.Kind != '{' {
		return nil
	}
	all := Site{}.enter(root, i)
	for e := range all.Value.Items {
		event := all.enter(all.Value, e)
		event.Event = all.Value.Items[e].Key
		for g := range event.Value.Items {
			if event.Value.Kind != '[' {
				continue
			}
			grp := event.enter(event.Value, g)
			h := grp.Value.Find("hooks")
			if h < 0 || grp.Value.Items[h].Value.Kind != '[' {
				continue
			}
			hooks := grp.enter(grp.Value, h)
			for k := range hooks.Value.Items {
				if one := hooks.enter(hooks.Value, k); wanted(one.Value) {
					list = append(list, one)
				}
			}
		}
	}
	return list
}

func serversThat(root *jsonc.Node, path []string, wanted func(*jsonc.Node) bool) (list []Site) {
	s := Site{Value: root}
	for _, key := range path {
		i := s.Value.Find(key)
		if i < 0 {
			return nil
		}
		s = s.enter(s.Value, i)
	}
	if s.Value.Kind != '{' {
		return nil
	}
	for i := range s.Value.Items {
		if one := s.enter(s.Value, i); wanted(one.Value) {
			list = append(list, one)
		}
	}
	return list
}

// ServerSites are our servers: the one at the end of a path of keys, or all
// that a file has if there is none.
func ServerSites(src []byte, root *jsonc.Node, bin string, path []string) (list []Site) {
	if path != nil {
		return serverAt(src, Site{Value: root}, bin, path)
	}
	list = serverAt(src, Site{Value: root}, bin, []string{"mcpServers"})
	if projects := root.Get("projects"); projects != nil && projects.Kind == '{' {
		for _, it := range projects.Items {
			list = append(list, serverAt(src, Site{Value: root}, bin, []string{"projects", it.Key, "mcpServers"})...)
		}
	}
	return list
}

func serverAt(src []byte, s Site, bin string, path []string) []Site {
	for _, key := range append(path[:len(path):len(path)], Server) {
		i := s.Value.Find(key)
		if i < 0 {
			return nil
		}
		s = s.enter(s.Value, i)
	}
	if !isServer(src, s.Value, bin) {
		return nil
	}
	return []Site{s}
}

// Name is what people are told of: "hook Stop", "server 'sage'".
func (s Site) Name() string {
	if s.Event != "" {
		return "hook " + s.Event
	}
	return "server '" + Server + "'"
}

// Program is what an entry runs.
func (s Site) Program(src []byte) string {
	if s.Table != nil {
		return s.Table.Program()
	}
	command, _ := Invocation(src, s.Value)
	if s.Event != "" && s.Value.Get("args") == nil {
		command, _, _ = strings.Cut(command, " hook ")
		command = strings.Trim(command, `"' `)
	}
	return command
}

// Text is an entry as it stands in its file.
func (s Site) Text(d *draft.Draft) string { return string(d.Src[s.Value.From:s.Value.To]) }

// Answers says whether a hook of ours is called for all that an event is called for.
func (s Site) Answers(src []byte, arg string) bool {
	args := s.Value.Get("args").Texts(src)
	if IsAsked(src, s.Value) {
		args = []string{"hook", s.Value.Get("input").Get("event").Text(src)}
	}
	if len(args) == 0 {
		_, rest, _ := strings.Cut(s.Value.Get("command").Text(src), " hook ")
		args = append([]string{"hook"}, strings.Fields(rest)...)
	}
	group := s.On[3] // root, hooks, event, group
	matcher := group.Get("matcher").Text(src)
	i := slices.IndexFunc(all, func(e Event) bool { return e.Arg == arg })
	return i >= 0 && len(args) > 1 && args[1] == arg && covers(matcher, all[i].Matcher)
}

// covers reports whether a matcher is for all that another one is for.
func covers(matcher, other string) bool {
	all := strings.Split(matcher, "|")
	return matcher == "" || matcher == "*" || other != "" && !slices.ContainsFunc(strings.Split(other, "|"), func(s string) bool { return !slices.Contains(all, s) })
}

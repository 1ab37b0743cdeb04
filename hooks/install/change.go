package install

import (
	"fmt"
	"slices"
)

// put adds a member at the end of a path of keys, with the objects that are
// missing on the way.
func (d *draft) put(path []string, key string, val any) error {
	if d.root == nil {
		return d.begin(nest(path, object{{key, val}}))
	}
	n := d.root
	for i, k := range path {
		child := n.get(k)
		if child == nil {
			return d.edit(insert(d.src, d.style, n, k, nest(path[i+1:], object{{key, val}})))
		}
		if child.kind != '{' {
			return fmt.Errorf("'%s' is not an object", k)
		}
		n = child
	}
	return d.edit(insert(d.src, d.style, n, key, val))
}

// begin writes the first object of an empty file.
func (d *draft) begin(val any) error {
	return d.edit([]splice{{len(d.src), len(d.src), d.style.render(val, "") + d.style.nl}})
}

func nest(path []string, val object) object {
	for _, k := range slices.Backward(path) {
		val = object{{k, val}}
	}
	return val
}

// addGroup adds a group of hooks to those of an event.
func (d *draft) addGroup(event string, val object) error {
	list := d.root.get("hooks").get(event)
	if list == nil {
		return d.put([]string{"hooks"}, event, []any{val})
	}
	if list.kind != '[' {
		return fmt.Errorf("'hooks.%s' is not a list", event)
	}
	return d.edit(insert(d.src, d.style, list, "", val))
}

// mend corrects command and arguments of an entry, and leaves its other members
// to its owner. An entry without arguments of its own is a line for the shell,
// and is replaced.
func (d *draft) mend(s site, r *Result, command string, want object) error {
	was, has := invocation(d.src, s.val)
	args := want.list("args")
	inOne := args == nil && s.val.get("command").kind == '[' // program and arguments
	if all := want.list("command"); args == nil {
		args = all[1:]
	}
	same := slices.EqualFunc(has, args, func(a string, b any) bool { return a == b })
	if was == command && same {
		return nil
	}
	if isAsked(d.src, s.val) {
		r.Changes = append(r.Changes, fmt.Sprintf("%s now runs %s instead of asking the server", s.name(), shown(command)))
	} else {
		r.Changes = append(r.Changes, fmt.Sprintf("%s now runs %s instead of %s", s.name(), shown(command), shown(was)))
	}
	switch {
	case inOne:
		return d.edit([]splice{d.value(s.val.get("command"), want.list("command"))})
	case s.val.get("args") == nil, s.val.get("command").kind == '[':
		return d.edit([]splice{d.value(s.val, want)})
	}
	var list []splice
	if was != command {
		list = append(list, d.value(s.val.get("command"), command))
	}
	if !same {
		list = append(list, d.value(s.val.get("args"), args))
	}
	return d.edit(list)
}

// mendMatcher lets an entry of ours be called for the compactions that are meant, and for
// the files. One beside which others stand is called for what its owner says.
func (d *draft) mendMatcher(s site, r *Result, want string) error {
	group := s.on[3] // root, hooks, event, group
	was := group.get("matcher")
	if was.text(d.src) == want || len(group.get("hooks").items) > 1 {
		return nil
	}
	switch {
	case want == untyped:
		r.Changes = append(r.Changes, s.name()+" is not called for a /compact that you type")
	case want == anyhow:
		r.Changes = append(r.Changes, s.name()+" is also called for a /compact that you type")
	case want == reading && was.text(d.src) == touching:
		r.Changes = append(r.Changes, s.name()+" leaves changed files to PreToolUse")
	default:
		return nil
	}
	if was == nil {
		return d.edit(insert(d.src, d.style, group, "matcher", want))
	}
	return d.edit([]splice{d.value(was, want)})
}

// list is a member that is a list; nil if there is none.
func (o object) list(key string) []any {
	for _, m := range o {
		if l, ok := m.val.([]any); ok && m.key == key {
			return l
		}
	}
	return nil
}

// value replaces one value by another, laid out like the old one.
func (d *draft) value(n *node, v any) splice {
	st := d.style
	st.wide = len(n.items) > 0 && isWide(d.src, n)
	return splice{n.from, n.to, st.render(v, lineIndent(d.src, n.from))}
}

// take removes an entry, and the containers that it leaves empty if they are
// ours.
func (d *draft) take(s site) error {
	if s.table != nil {
		return d.takeTable(s.table)
	}
	level := len(s.on) - 1
	for level > 0 && isAlone(s.on[level]) && d.drops(s, level) {
		level--
	}
	list := remove(d.src, s.on[level], s.at[level])
	for i := range list {
		list[i] = d.clip(list[i])
	}
	return d.edit(list)
}

// clip leaves the white space of the owner that stands beside our bytes.
func (d *draft) clip(s splice) splice {
	for _, o := range d.ours {
		if from, to := max(s.from, o.from), min(s.to, o.to); d.exact && from < to {
			return splice{from, to, s.text}
		}
	}
	return s
}

// isAlone says whether a container has only the way to our entry in it. The
// matcher belongs to the hooks of its group.
func isAlone(n *node) bool {
	for _, it := range n.items {
		if len(n.items) > 1 && it.key != "hooks" && it.key != "matcher" {
			return false
		}
	}
	return n.kind == '{' || len(n.items) == 1
}

// drops says whether a container goes when it is empty: if we made it, or, as
// far as nobody knows, if it is of a kind that only entries call for.
func (d *draft) drops(s site, level int) bool {
	if d.exact {
		return d.made(s.on[level])
	}
	return s.event != "" || level == 1
}

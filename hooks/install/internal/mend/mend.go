// Package mend adds entries to a draft, corrects stale ones and takes them out again. A hook
// that somebody wrote before any was installed is recorded, and given back.
package mend

import (
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/edit"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
)

// Entry corrects command and arguments of an entry, and leaves its other members
// to its owner. An entry without arguments of its own is a line for the shell,
// and is replaced.
func Entry(d *draft.Draft, s entry.Site, r *Result, command string, want jsonc.Object) error {
	was, has := entry.Invocation(d.Src, s.Value)
	args := want.List("args")
	inOne := args == nil && s.Value.Get("command").Kind == '[' // program and arguments
	if all := want.List("command"); args == nil {
		args = all[1:]
	}
	same := slices.EqualFunc(has, args, func(a string, b any) bool { return a == b })
	if was == command && same {
		return nil
	}
	if entry.IsAsked(d.Src, s.Value) {
		r.Changes = append(r.Changes, fmt.Sprintf("%s now runs %s instead of asking the server", s.Name(), entry.Shown(command)))
	} else {
		r.Changes = append(r.Changes, fmt.Sprintf("%s now runs %s instead of %s", s.Name(), entry.Shown(command), entry.Shown(was)))
	}
	switch {
	case inOne:
		return d.Edit([]edit.Splice{d.Replacement(s.Value.Get("command"), want.List("command"))})
	case s.Value.Get("args") == nil, s.Value.Get("command").Kind == '[':
		return d.Edit([]edit.Splice{d.Replacement(s.Value, want)})
	}
	var list []edit.Splice
	if was != command {
		list = append(list, d.Replacement(s.Value.Get("command"), command))
	}
	if !same {
		list = append(list, d.Replacement(s.Value.Get("args"), args))
	}
	return d.Edit(list)
}

// Matcher lets an entry of ours be called for the compactions that are meant, and for
// the files. One beside which others stand is called for what its owner says.
func Matcher(d *draft.Draft, s entry.Site, r *Result, want string) error {
	group := s.On[3] // root, hooks, event, group
	was := group.Get("matcher")
	if was.Text(d.Src) == want || len(group.Get("hooks").Items) > 1 {
		return nil
	}
	switch {
	case want == entry.AutoCompaction:
		r.Changes = append(r.Changes, s.Name()+" is not called for a /compact that you type")
	case want == entry.AnyCompaction:
		r.Changes = append(r.Changes, s.Name()+" is also called for a /compact that you type")
	case want == entry.Reading && was.Text(d.Src) == entry.Touching:
		r.Changes = append(r.Changes, s.Name()+" leaves changed files to PreToolUse")
	default:
		return nil
	}
	if was == nil {
		return d.Edit(jsonc.Insert(d.Src, d.Style, group, "matcher", want))
	}
	return d.Edit([]edit.Splice{d.Replacement(was, want)})
}

// AddGroup adds a group of hooks to those of an event.
func AddGroup(d *draft.Draft, event string, val jsonc.Object) error {
	list := d.Root.Get("hooks").Get(event)
	if list == nil {
		return d.Put([]string{"hooks"}, event, []any{val})
	}
	if list.Kind != '[' {
		return fmt.Errorf("'hooks.%s' is not a list", event)
	}
	return d.Edit(jsonc.Insert(d.Src, d.Style, list, "", val))
}

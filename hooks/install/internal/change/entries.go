package change

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/git-sage/git-sage/hooks/install/internal/draft"
	"github.com/git-sage/git-sage/hooks/install/internal/entry"
	"github.com/git-sage/git-sage/hooks/install/internal/jsonc"
	"github.com/git-sage/git-sage/hooks/install/internal/mend"
	"github.com/git-sage/git-sage/hooks/install/internal/predecessor"
)

// An oldEntry is a hook or a server of the tool before us, and where it belongs.
type oldEntry struct {
	event, matcher string // of a hook; the matcher as it was written
	project, name  string // of a server; without a project it is for all
	text           string // as it was written
}

// oldEntries are all entries of the tool before us in a file.
func oldEntries(d *draft.Draft) (list []oldEntry) {
	for _, s := range predecessor.Sites(d.Src, d.Root, nil)(d.Src, d.Root) {
		e := oldEntry{event: s.Event, text: s.Text(d)}
		if m := s.On[3].Get("matcher"); m != nil { // root, hooks, event, group
			e.matcher = string(d.Src[m.From:m.To])
		}
		list = append(list, e)
	}
	projects := []string{""}
	if n := d.Root.Get("projects"); n != nil && n.Kind == '{' {
		for _, it := range n.Items {
			projects = append(projects, it.Key)
		}
	}
	for _, project := range projects {
		at := oldEntry{project: project}
		for _, s := range predecessor.Sites(d.Src, d.Root, at.path())(d.Src, d.Root) {
			last := len(s.On) - 1
			list = append(list, oldEntry{project: project, name: s.On[last].Items[s.At[last]].Key, text: s.Text(d)})
		}
	}
	return list
}

// path is the path of keys to the servers among which one belongs.
func (e oldEntry) path() []string {
	if e.project == "" {
		return []string{"mcpServers"}
	}
	return []string{"projects", e.project, "mcpServers"}
}

// shown is what people are told of.
func (e oldEntry) shown() string {
	if e.event != "" {
		return "a hook of claude-sage for " + e.event
	}
	return "the server '" + e.name + "' of claude-sage"
}

// putInto adds an entry to a file: a hook as a group of its own, a server under its name, which has
// to be free.
func (e oldEntry) putInto(d *draft.Draft) error {
	value := json.RawMessage(e.text)
	if e.event != "" {
		var group jsonc.Object
		if e.matcher != "" {
			group = append(group, jsonc.Member{Key: "matcher", Value: json.RawMessage(e.matcher)})
		}
		return mend.AddGroup(d, e.event, append(group, jsonc.Member{Key: "hooks", Value: []any{value}}))
	}
	n := d.Root
	for _, key := range append(slices.Clone(e.path()), e.name) {
		n = n.Get(key)
	}
	if n != nil {
		return fmt.Errorf("another server is called %s now: rename or remove it, and run the command again", entry.Shown(e.name))
	}
	return d.Put(e.path(), e.name, value)
}

package ingest

import (
	"regexp"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// The schema was written down more than once, with other names for the same
// things, and the tool before us wrote some keys that we hold in another form.

var (
	checkpointSpellings = map[string]string{
		"created_at": "ts", "goal_type": "action_type", "parent_id": "parents", "parent_checkpoint": "parents",
		"related_knowledge": "knowledge_recalled",
	}
	actionSpellings  = map[string]string{"goal_type": "type"}
	sourceSpellings  = map[string]string{"core_take": "take"}
	tensionSpellings = map[string]string{"sources": "between"}
)

var oldID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d_`) })

// isOld reports whether the tool before us wrote it: its ids are a time and
// the beginning of the thesis.
func isOld(n *tree.Node) bool {
	id := n.Get("id")
	return id != nil && oldID().MatchString(id.Text)
}

// respell gives the keys of n the names of the schema.
func respell(n *tree.Node, r *codec.Reader) {
	if n.Kind != tree.MapNode {
		return
	}
	flatten(n)
	recovery(n)
	gitContext(n)
	rename(n, r, "", checkpointSpellings)
	if p := n.Get("parents"); p != nil && p.Kind == tree.ScalarNode && !p.IsNull() {
		one := *p
		*p = tree.Node{Kind: tree.ListNode, Vals: []*tree.Node{&one}}
	}
	if a := n.Get("action"); a != nil {
		rename(a, r, "action.", actionSpellings)
	}
	renameEach(n.Get("sources"), r, "sources.", sourceSpellings)
	renameEach(n.Get("tensions"), r, "tensions.", tensionSpellings)
	if refs := n.Get("code_refs"); refs != nil && r.Input { // what show --json says of the moment
		for _, v := range refs.Vals {
			for _, key := range []string{"state", "moved_to", "moved_lines", "lines_now", "diff"} {
				v.Remove(key)
			}
		}
	}
}

func renameEach(n *tree.Node, r *codec.Reader, prefix string, spellings map[string]string) {
	if n == nil || n.Kind != tree.ListNode {
		return
	}
	for _, v := range n.Vals {
		rename(v, r, prefix, spellings)
	}
}

// rename replaces keys. Both spellings at once are an error, unless one of
// them says nothing.
func rename(n *tree.Node, r *codec.Reader, prefix string, spellings map[string]string) {
	for i := 0; i < len(n.Keys); i++ {
		key := n.Keys[i]
		name := spellings[key]
		if name == "" {
			continue
		}
		switch other := n.Get(name); {
		case other != nil && other.IsNull():
			n.Remove(name)
			i = -1
		case other != nil && n.Vals[i].IsNull():
			n.Remove(key)
			i = -1
		case other != nil:
			r.Fail(prefix+key, "is another name for '%s', which is given too", name)
		default:
			n.Keys[i] = name
		}
	}
}

// flatten lifts the keys of metadata, where version 0 of the old tool had them.
func flatten(n *tree.Node) {
	m := n.Get("metadata")
	if m == nil || m.Kind != tree.MapNode {
		return
	}
	n.Remove("metadata")
	for i, key := range m.Keys {
		if n.Get(key) == nil {
			n.Add(key, m.Vals[i])
		} else if !m.Vals[i].IsNull() {
			n.Add("metadata."+key, m.Vals[i])
		}
	}
}

// recovery reads the old tool's rescue of a conversation as a checkpoint with
// that trigger; what triggered the rescue is kept beside it.
func recovery(n *tree.Node) {
	t := n.Get("type")
	if t == nil || t.Text != string(sage.Recovery) {
		return
	}
	t.Text = "checkpoint"
	if why := n.Remove("trigger"); why != nil {
		n.Add("recovery_trigger", why)
	}
	n.Add("trigger", &tree.Node{Text: string(sage.Recovery)})
	if at := n.Get("extracted_at"); at != nil && n.Get("ts") == nil {
		n.Remove("extracted_at")
		n.Add("ts", at)
	}
}

// gitContext moves what the old tool knew of the code to where we have it.
func gitContext(n *tree.Node) {
	g := n.Get("git_context")
	if g == nil || g.Kind != tree.MapNode || n.Get("code") != nil {
		return
	}
	code := &tree.Node{Kind: tree.MapNode}
	for _, key := range []string{"commit", "branch", "dirty"} {
		if v := g.Remove(key); v != nil {
			code.Add(key, v)
		}
	}
	if len(g.Keys) == 0 {
		n.Remove("git_context")
	}
	n.Add("code", code)
}

// Old reads a checkpoint that the tool before us wrote: its front matter, or all of it in the
// form of version 0, and the body below, which may hold anything. n is changed.
func Old(n *tree.Node, body string) (*sage.Checkpoint, error) {
	r := &codec.Reader{}
	respell(n, r)
	c, err := codec.Assemble(n, body, r, &codec.BodyParser{Old: true})
	if err != nil {
		return nil, err
	}
	c.Tidy()
	return c, nil
}

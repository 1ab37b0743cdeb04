package sage

import (
	"regexp"
	"strings"
	"sync"
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
func isOld(n *node) bool {
	id := n.get("id")
	return id != nil && oldID().MatchString(id.text)
}

// respell gives the keys of n the names of the schema.
func respell(n *node, r *reader) {
	if n.kind != mapNode {
		return
	}
	flatten(n)
	recovery(n)
	gitContext(n)
	rename(n, r, "", checkpointSpellings)
	if p := n.get("parents"); p != nil && p.kind == scalarNode && !p.isNull() {
		one := *p
		*p = node{kind: listNode, vals: []*node{&one}}
	}
	if a := n.get("action"); a != nil {
		rename(a, r, "action.", actionSpellings)
	}
	renameEach(n.get("sources"), r, "sources.", sourceSpellings)
	renameEach(n.get("tensions"), r, "tensions.", tensionSpellings)
	if refs := n.get("code_refs"); refs != nil && r.input { // what show --json says of the moment
		for _, v := range refs.vals {
			v.remove("state")
			v.remove("moved_to")
		}
	}
}

func renameEach(n *node, r *reader, prefix string, spellings map[string]string) {
	if n == nil || n.kind != listNode {
		return
	}
	for _, v := range n.vals {
		rename(v, r, prefix, spellings)
	}
}

// rename replaces keys. Both spellings at once are an error, unless one of
// them says nothing.
func rename(n *node, r *reader, prefix string, spellings map[string]string) {
	for i := 0; i < len(n.keys); i++ {
		key := n.keys[i]
		name := spellings[key]
		if name == "" {
			continue
		}
		switch other := n.get(name); {
		case other != nil && other.isNull():
			n.remove(name)
			i = -1
		case other != nil && n.vals[i].isNull():
			n.remove(key)
			i = -1
		case other != nil:
			r.fail(prefix+key, "is another name for '%s', which is given too", name)
		default:
			n.keys[i] = name
		}
	}
}

// flatten lifts the keys of metadata, where version 0 of the old tool had them.
func flatten(n *node) {
	m := n.get("metadata")
	if m == nil || m.kind != mapNode {
		return
	}
	n.remove("metadata")
	for i, key := range m.keys {
		if n.get(key) == nil {
			n.add(key, m.vals[i])
		} else if !m.vals[i].isNull() {
			n.add("metadata."+key, m.vals[i])
		}
	}
}

// recovery reads the old tool's rescue of a conversation as a checkpoint with
// that trigger; what triggered the rescue is kept beside it.
func recovery(n *node) {
	t := n.get("type")
	if t == nil || t.text != string(Recovery) {
		return
	}
	t.text = "checkpoint"
	if why := n.remove("trigger"); why != nil {
		n.add("recovery_trigger", why)
	}
	n.add("trigger", &node{text: string(Recovery)})
	if at := n.get("extracted_at"); at != nil && n.get("ts") == nil {
		n.remove("extracted_at")
		n.add("ts", at)
	}
}

// gitContext moves what the old tool knew of the code to where we have it.
func gitContext(n *node) {
	g := n.get("git_context")
	if g == nil || g.kind != mapNode || n.get("code") != nil {
		return
	}
	code := &node{kind: mapNode}
	for _, key := range []string{"commit", "branch", "dirty"} {
		if v := g.remove(key); v != nil {
			code.add(key, v)
		}
	}
	if len(g.keys) == 0 {
		n.remove("git_context")
	}
	n.add("code", code)
}

// triggerSpellings are other names of triggers.
var triggerSpellings = map[string]string{
	"constraint": string(ConstraintDiscovered), "transition": string(TopicShift),
	"token_threshold": string(ContextThreshold), "pre_compact": string(PreCompact),
}

// longestWord is far beyond the words of sets, however they are spelt, in bytes.
const longestWord = 256

// Tidy forgives case, hyphens and blanks in the words of sets ("Branch point"),
// and gives a trigger the name of the schema (constraint, transition and
// token_threshold have another). [ParseInput] has done it; call it before
// [Checkpoint.Validate] for what comes from elsewhere.
func (c *Checkpoint) Tidy() {
	tidy := strings.NewReplacer("-", "_", " ", "_")
	w := &walker{fn: func(path, s string) (string, error) {
		word := strings.TrimSpace(s)
		if len(word) > longestWord {
			return s, nil
		}
		word = tidy.Replace(strings.ToLower(word))
		if name := triggerSpellings[word]; path == "trigger" && name != "" {
			return name, nil
		}
		for _, known := range enums()[indexes().ReplaceAllString(path, "")] {
			if word == known {
				return known, nil
			}
		}
		return s, nil
	}}
	w.checkpoint(c)
}

package threeway

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A Version is what a file is at some tip.
type Version struct {
	Content []byte // nil: there is no such file
	Tip     string // its id
}

// A Result is what became of a file.
type Result struct {
	Content  []byte   // nil: it is gone
	Beside   [][]byte // further files of the same kind, for what does not fit into one
	Disagree bool     // something in it waits for a person to decide
}

// Merge merges the versions of a file over base, nil if there was none.
func Merge(path string, base []byte, sides []Version) Result {
	changed, deleted := changedFrom(base, sides)
	if len(deleted) > 0 && strings.HasSuffix(path, ".md") {
		changed = slices.DeleteFunc(changed, func(c []byte) bool { return base != nil && bytes.Equal(undated(c), undated(base)) })
	}
	switch {
	case len(changed) == 0 && len(deleted) > 0:
		return Result{}
	case len(changed) == 0:
		return Result{Content: base}
	case len(changed) == 1 && (len(deleted) == 0 || base == nil):
		return Result{Content: changed[0]}
	}
	if base == nil {
		deleted = nil // it never was there
	}
	switch folder, _, _ := strings.Cut(path, "/"); {
	case folder == "purged":
		return Result{Content: lines(changed)}
	case folder == "templates":
		return templates(base, changed)
	case strings.HasSuffix(path, ".yaml"):
		return documents(base, changed, folder == "lines")
	case strings.HasSuffix(path, ".md"):
		return notes(base, changed, deleted)
	}
	return texts(base, changed)
}

// changedFrom are the different contents that are not the base's, sorted, and the
// tips that have none.
func changedFrom(base []byte, sides []Version) (changed [][]byte, deleted []string) {
	for _, v := range sides {
		switch {
		case v.Content == nil:
			deleted = append(deleted, v.Tip)
		case base == nil || !bytes.Equal(v.Content, base):
			changed = append(changed, v.Content)
		}
	}
	slices.SortFunc(changed, bytes.Compare)
	slices.Sort(deleted)
	return slices.CompactFunc(changed, bytes.Equal), slices.Compact(deleted)
}

// undated is a file without the time of its last change. Who only confirmed what it says
// has nothing against its removal.
func undated(b []byte) []byte {
	head, body, ok := bytes.Cut(b, []byte("\n---\n"))
	if !ok {
		return b
	}
	var out []byte
	for l := range bytes.Lines(head) {
		if !bytes.HasPrefix(l, []byte("updated:")) {
			out = append(out, bytes.TrimSuffix(l, []byte("\n"))...)
			out = append(out, '\n')
		}
	}
	return append(append(out, "---\n"...), body...)
}

// lines unites sets of lines.
func lines(changed [][]byte) []byte {
	var all []string
	for _, b := range changed {
		for l := range strings.Lines(string(b)) {
			all = append(all, strings.TrimSuffix(l, "\n")+"\n")
		}
	}
	slices.Sort(all)
	return []byte(strings.Join(slices.Compact(all), ""))
}

// templates are merged if they fit together, else all are kept.
func templates(base []byte, changed [][]byte) Result {
	b := blender{single: true}
	if out, ok := b.documents(base, changed); ok && !b.disagree {
		return Result{Content: out}
	}
	return Result{Content: changed[0], Beside: changed[1:], Disagree: true}
}

// documents are files of YAML.
func documents(base []byte, changed [][]byte, single bool) Result {
	b := blender{single: single}
	if out, ok := b.documents(base, changed); ok {
		return Result{Content: out, Disagree: b.disagree && !single}
	}
	return texts(base, changed)
}

func (b *blender) documents(base []byte, changed [][]byte) ([]byte, bool) {
	x, ok := parse(base)
	sides := make([]*yaml.Node, len(changed))
	for i, c := range changed {
		var fine bool
		sides[i], fine = parse(c)
		ok = ok && fine
	}
	if !ok {
		return nil, false
	}
	return unparse(b.mapping(x, sides), sides, changed), true
}

// unparse writes a mapping; where it means the same as a version, as that one does.
func unparse(n *yaml.Node, sides []*yaml.Node, written [][]byte) []byte {
	for i, s := range sides {
		if code(s) == code(n) {
			return written[i]
		}
	}
	if len(n.Content) == 0 {
		return []byte("{}\n")
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	_ = e.Encode(n) // into memory, of nodes that were read
	_ = e.Close()
	return b.Bytes()
}

// parse reads one document that is a mapping without aliases and repeated keys. An
// empty one is an empty mapping.
func parse(b []byte) (*yaml.Node, bool) {
	if len(bytes.TrimSpace(b)) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, true
	}
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(b))
	if !utf8.Valid(b) || d.Decode(&doc) != nil || !errors.Is(d.Decode(&more), io.EOF) || len(doc.Content) != 1 {
		return nil, false
	}
	n := doc.Content[0]
	return n, n.Kind == yaml.MappingNode && sound(n, 0)
}

const maxDepth = 64

func sound(n *yaml.Node, depth int) bool {
	if n.Kind == yaml.AliasNode || n.Anchor != "" || depth > maxDepth {
		return false
	}
	seen := map[string]bool{}
	for i, c := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if c.Kind != yaml.ScalarNode || seen[c.Value] || c.Tag == "!!merge" {
				return false
			}
			seen[c.Value] = true
		}
		if !sound(c, depth+1) {
			return false
		}
	}
	return true
}

// notes are Markdown files, with front matter if they have any.
func notes(base []byte, changed [][]byte, deleted []string) Result {
	x, ok := splitNote(base)
	sides := make([]note, len(changed))
	for i, c := range changed {
		var fine bool
		sides[i], fine = splitNote(c)
		ok = ok && fine
	}
	if !ok {
		return texts(base, changed)
	}
	b, heads, bodies := blender{}, make([]*yaml.Node, len(sides)), make([]string, len(sides))
	for i, s := range sides {
		heads[i], bodies[i] = s.head, s.body
	}
	out := note{head: b.mapping(x.head, heads), body: b.text(x.body, bodies)}
	if len(deleted) > 0 && len(out.head.Content) > 0 {
		out.head = withDeletions(out.head, deleted)
		b.disagree = true
	}
	return Result{Content: out.bytes(sides, changed), Disagree: b.disagree}
}

type note struct {
	head *yaml.Node
	body string
}

func splitNote(b []byte) (note, bool) {
	s := string(b)
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return note{&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}, s}, utf8.ValidString(s)
	}
	head, body, found := strings.Cut("\n"+rest, "\n---\n")
	if !found {
		return note{}, false
	}
	n, ok := parse([]byte(strings.TrimPrefix(head+"\n", "\n")))
	return note{n, body}, ok && utf8.ValidString(s)
}

func (n note) bytes(sides []note, written [][]byte) []byte {
	for i, s := range sides {
		if s.body == n.body && code(s.head) == code(n.head) {
			return written[i]
		}
	}
	if len(n.head.Content) == 0 {
		return []byte(n.body)
	}
	return []byte("---\n" + string(unparse(n.head, nil, nil)) + "---\n" + n.body)
}

const deletedBy = "deleted_by"

// withDeletions records who had removed what somebody else edited.
func withDeletions(head *yaml.Node, deleted []string) *yaml.Node {
	out := *head
	out.Content = nil
	for i := 0; i+1 < len(head.Content); i += 2 {
		if k := head.Content[i]; k.Value != deletedBy {
			out.Content = append(out.Content, k, head.Content[i+1])
		} else if isList(head.Content[i+1]) {
			for _, v := range head.Content[i+1].Content {
				deleted = append(deleted, v.Value)
			}
		}
	}
	slices.Sort(deleted)
	key, list := &yaml.Node{}, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	key.SetString(deletedBy)
	for _, id := range slices.Compact(deleted) {
		v := &yaml.Node{}
		v.SetString(id)
		list.Content = append(list.Content, v)
	}
	out.Content = append(out.Content, key, list)
	return &out
}

// texts are files that are not taken apart.
func texts(base []byte, changed [][]byte) Result {
	if slices.ContainsFunc(append(changed, base), func(b []byte) bool { return !utf8.Valid(b) || bytes.IndexByte(b, 0) >= 0 }) {
		return Result{Content: changed[0], Beside: changed[1:], Disagree: len(changed) > 1}
	}
	var b blender
	sides := make([]string, len(changed))
	for i, c := range changed {
		sides[i] = string(c)
	}
	return Result{Content: []byte(b.text(string(base), sides)), Disagree: b.disagree}
}

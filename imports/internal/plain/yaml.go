package plain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
)

// The tool wrote plain YAML, with anchors where lists were one and the same to it. People edit
// it by hand, and git leaves conflicts in it.

// maxNodes is how many values a document may have when its aliases are expanded, beside those
// that stand in it: the tool names a list again at most once for each item.
const maxNodes = 1_000_000

// A yamlReader reads a document, and says what of it had to be left out.
type yamlReader struct {
	nodes    int
	problems []string
}

// ErrGrows says that a document is too large once its aliases are expanded.
var ErrGrows = errors.New("its YAML aliases grow beyond all bounds")

// ReadYAML reads one document. problems say what of it was left out; an error says that it is
// none.
func ReadYAML(text string) (n *tree.Node, problems []string, err error) {
	dec := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return &tree.Node{Kind: tree.MapNode}, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	r := &yamlReader{}
	n, err = r.node(doc.Content[0], 0)
	return n, r.problems, err
}

func (r *yamlReader) node(y *yaml.Node, depth int) (*tree.Node, error) {
	if r.nodes++; r.nodes > maxNodes || depth > tree.MaxDepth {
		return nil, ErrGrows
	}
	if y.Kind == yaml.AliasNode {
		return r.node(y.Alias, depth+1)
	}
	if y.Style&yaml.TaggedStyle != 0 && !strings.HasPrefix(y.ShortTag(), "!!") || strings.HasPrefix(y.Tag, "!!python") || strings.HasPrefix(y.Tag, "tag:yaml.org,2002:python") {
		r.problems = append(r.problems, fmt.Sprintf("line %d: the tag %s means nothing here", y.Line, legible.Visible(y.Tag)))
		return nil, nil
	}
	switch y.Kind {
	case yaml.ScalarNode:
		quoted := y.Style & (yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle)
		return &tree.Node{Text: y.Value, Plain: quoted == 0}, nil
	case yaml.SequenceNode:
		return r.list(y, depth)
	}
	return r.mapping(y, depth)
}

func (r *yamlReader) list(y *yaml.Node, depth int) (*tree.Node, error) {
	n := &tree.Node{Kind: tree.ListNode}
	for _, c := range y.Content {
		v, err := r.node(c, depth+1)
		if err != nil {
			return nil, err
		}
		if v != nil {
			n.Vals = append(n.Vals, v)
		}
	}
	return n, nil
}

func (r *yamlReader) mapping(y *yaml.Node, depth int) (*tree.Node, error) {
	n := &tree.Node{Kind: tree.MapNode}
	at := map[string]int{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		if key.Kind != yaml.ScalarNode {
			r.problems = append(r.problems, fmt.Sprintf("line %d: a key is no text", key.Line))
			continue
		}
		v, err := r.node(y.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		if v == nil {
			continue
		}
		if j, twice := at[key.Value]; twice { // the tool took the last
			r.problems = append(r.problems, fmt.Sprintf("line %d: '%s' is given twice; the last counts", key.Line, legible.OneLine(key.Value)))
			n.Vals[j] = v
			continue
		}
		at[key.Value] = len(n.Keys)
		n.Add(key.Value, v)
	}
	return n, nil
}

// conflictMark begins the lines that git puts around the sides of a conflict.
var conflictMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(<<<<<<< |>>>>>>> |=======$)`) })

// InConflict reports whether git left a conflict in a text.
func InConflict(text string) bool {
	marks := conflictMark().FindAllString(text, -1)
	return len(marks) >= 3 && marks[0] == "<<<<<<< "
}

// A Headed text has front matter.
type Headed struct {
	Head     *tree.Node // never nil
	Body     string
	Problems []string // of the front matter
	OK       bool     // it has front matter that ends
	Conflict bool     // git left a conflict in it
	Err      error    // it cannot be read at all
}

// SplitHead reads front matter between lines that are exactly '---'. Of one that is no YAML
// each key is tried for itself.
func SplitHead(text string) Headed {
	none := &tree.Node{Kind: tree.MapNode}
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return Headed{Head: none, Body: text}
	}
	head, body, ok := strings.Cut("\n"+rest, "\n---\n")
	if !ok {
		if head, ok = strings.CutSuffix("\n"+rest, "\n---"); !ok {
			return Headed{Head: none, Body: text}
		}
	}
	h := Headed{Head: none, Body: body, OK: true, Conflict: InConflict(head)}
	n, problems, err := ReadYAML(strings.TrimPrefix(head, "\n"))
	switch {
	case h.Conflict:
		return h
	case errors.Is(err, ErrGrows):
		h.Err = err
		return h
	case err != nil:
		n, problems = salvage(strings.TrimPrefix(head, "\n"), err)
	case n.Kind != tree.MapNode:
		n, problems = none, append(problems, "the front matter is no mapping")
	}
	h.Head, h.Problems = n, problems
	return h
}

var keyLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*):(?:[ \t]+(.*))?$`) })

// YAMLError is what an error of the YAML package begins with.
var YAMLError = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line \d+: )?`) })

// salvage reads front matter that is no YAML key by key. A text that was not quoted counts as
// it stands.
func salvage(head string, why error) (*tree.Node, []string) {
	out := &tree.Node{Kind: tree.MapNode}
	var problems []string
	lines := strings.Split(head, "\n")
	for i := 0; i < len(lines); {
		first := i
		for i++; i < len(lines) && !keyLine().MatchString(lines[i]); i++ {
		}
		m := keyLine().FindStringSubmatch(lines[first])
		if m == nil {
			continue
		}
		n, _, err := ReadYAML(strings.Join(lines[first:i], "\n"))
		line := fmt.Sprintf("line %d: ", first+2) // behind the rule
		switch {
		case errors.Is(err, ErrGrows):
			problems = append(problems, line+err.Error())
		case err == nil && n.Kind == tree.MapNode && len(n.Keys) == 1:
			if out.Get(n.Keys[0]) == nil {
				out.Add(n.Keys[0], n.Vals[0])
			}
		case i == first+1 && m[2] != "" && !strings.ContainsAny(m[2][:1], `"'[{&*!|>%@`) && out.Get(m[1]) == nil:
			out.Add(m[1], &tree.Node{Text: strings.TrimSpace(m[2])})
			problems = append(problems, line+fmt.Sprintf("'%s' is not quoted as YAML wants it; it was taken as it stands", m[1]))
		default:
			problems = append(problems, line+fmt.Sprintf("'%s' cannot be read and was left out", m[1]))
		}
	}
	if len(problems) == 0 {
		problems = append(problems, "the front matter is no YAML: "+YAMLError().ReplaceAllString(why.Error(), ""))
	}
	return out, problems
}

// Scalar is the text of a key, "" if there is none or it is no text.
func Scalar(n *tree.Node, key string) string {
	if v := n.Get(key); v != nil && v.Kind == tree.ScalarNode && !v.IsNull() {
		return v.Text
	}
	return ""
}

// Texts are the texts of a key, of which one may stand for a list.
func Texts(n *tree.Node, key string) (out []string) {
	v := n.Get(key)
	switch {
	case v == nil || v.IsNull():
	case v.Kind == tree.ScalarNode:
		out = []string{v.Text}
	case v.Kind == tree.ListNode:
		for _, x := range v.Vals {
			if x.Kind == tree.ScalarNode && !x.IsNull() {
				out = append(out, x.Text)
			}
		}
	}
	return out
}

package sage

import (
	"errors"
	"reflect"
	"strings"
)

// ParseItem reads a stored item, or one that a person wrote. It is lenient with
// words and keys it does not know, with what a merge left, and with a file that has
// no front matter, which is all content; and strict with what it could only guess.
// What is unset gets what [Item.Tidy] gives it: type and status.
func ParseItem(b []byte) (*Item, error) {
	it := &Item{}
	if err := readItem(it, b); err != nil {
		return nil, err
	}
	it.Links = fromFields(linkFields(it.Links))
	it.setDefaults()
	return it, nil
}

// respellSkill reads the one skill of the tool before us as a scope.
func respellSkill(n *node) {
	skill := n.get("skill")
	if skill == nil || skill.kind != scalarNode || n.get("scope") != nil {
		return
	}
	n.remove("skill")
	if !skill.isNull() {
		n.add("scope", &node{kind: mapNode, keys: []string{"skills"}, vals: []*node{skill}})
	}
}

func (it *Item) setDefaults() {
	if it.Type == "" {
		it.Type = Knowledge
	}
	if it.Status == "" {
		it.Status = Active
		if it.Type == Todo {
			it.Status = Pending
		}
	}
}

// readItem reads the front matter and the content.
func readItem(it *Item, b []byte) error {
	text, err := readable(b)
	if err != nil {
		return err
	}
	head, body, ok := splitFrontMatter(text)
	if !ok && strings.HasPrefix(text, "---\n") {
		return errors.New("front matter is not closed: want a second line '---'")
	}
	n := &node{kind: mapNode}
	if ok {
		if n, err = readFrontMatter(head); err != nil {
			return err
		}
	}
	r := &reader{item: true}
	if n.kind != mapNode {
		r.want(n, "front matter", "a mapping")
		return r.err()
	}
	n.remove(tokensKey)
	respellSkill(n)
	r.mapping(n, "", it.fields())
	it.Content, it.Extra, it.Variants = tidyContent(body), r.extra, it.inOrder(r.variants)
	return r.err()
}

// tidyContent gives a text the line ends of Unix and takes those around it off, and
// around each version of one that a merge left.
func tidyContent(text string) string {
	list := Versions(unixLines(text))
	for i, s := range list {
		list[i] = strings.Trim(s, "\n")
	}
	return strings.TrimRight(JoinVersions(list), "\n")
}

func unixLines(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// scope reads a scope, which keeps the keys that nobody knows itself.
func (r *reader) scope(n *node, path string, p *Scope) {
	had := len(r.extra)
	r.mapping(n, path+".", p.fields())
	for _, x := range r.extra[had:] {
		p.Extra = append(p.Extra, Entry{strings.TrimPrefix(x.Key, path+"."), x.Value})
	}
	r.extra = r.extra[:had]
}

// links reads a mapping of kinds to ids.
func (r *reader) links(n *node, path string, p *[]Link) {
	if n.kind != mapNode {
		r.want(n, path, "a mapping of related, supersedes, contradicts or extends to lists of ids")
		return
	}
	*p = nil
	for i, kind := range n.keys {
		var to []string
		r.read(n.vals[i], path+"."+kind, &to)
		for _, id := range to {
			*p = append(*p, Link{LinkKind(kind), id})
		}
	}
}

func fromFields(fields []field) (out []Link) {
	for _, f := range fields {
		for _, id := range *f.ptr.(*[]string) {
			out = append(out, Link{LinkKind(f.key), id})
		}
	}
	return out
}

// variantsKey stands in a mapping of its own where versions of a field disagree.
const variantsKey = "variants"

func isVariants(n *node) bool {
	return n.kind == mapNode && len(n.keys) == 1 && n.keys[0] == variantsKey && n.vals[0].kind == listNode && len(n.vals[0].vals) > 1
}

// disagree reads versions of a field that disagree: the first that can be read is
// what the field holds until somebody settles it.
func (r *reader) disagree(n *node, path string, ptr any) {
	list := n.vals[0]
	r.variants = append(r.variants, Entry{path, list.value()})
	for _, v := range list.vals {
		if readAlone(v, path, ptr) {
			return
		}
	}
}

func readAlone(n *node, path string, ptr any) bool {
	alone := &reader{item: true}
	alone.read(n, path, ptr)
	if len(alone.errs) == 0 && len(alone.extra) == 0 && len(alone.variants) == 0 {
		return true
	}
	reflect.ValueOf(ptr).Elem().SetZero()
	return false
}

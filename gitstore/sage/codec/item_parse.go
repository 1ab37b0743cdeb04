package codec

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/gitstore/sage/versions"
)

// ParseItem reads a stored item, or one that a person wrote. It is lenient with
// words and keys it does not know, with what a merge left, and with a file that has
// no front matter, which is all content; and strict with what it could only guess.
// What is unset gets what [sage.Item.Tidy] gives it: type and status.
func ParseItem(b []byte) (*sage.Item, error) {
	it := &sage.Item{}
	if err := readItem(it, b); err != nil {
		return nil, err
	}
	dropPurged(it)
	it.Links = sage.LinksOf(sage.LinkFields(it.Links))
	it.SetDefaults()
	return it, nil
}

// dropPurged takes out what a purge left of ids and of what brings the item back. In the file
// the mark stays where it was put, by which other clones see that nothing else was changed,
// until somebody edits the item. As an id it would name nothing, and as a pattern, where it is
// a class of letters, it would bring the item back with nearly everything.
func dropPurged(it *sage.Item) {
	isPurged := func(s string) bool { return strings.Contains(s, legible.PurgedText) }
	for _, id := range []*string{&it.ID, &it.Replacement} {
		if isPurged(*id) {
			*id = ""
		}
	}
	it.Links = slices.DeleteFunc(it.Links, func(l sage.Link) bool { return isPurged(l.To) })
	it.Keywords, it.Patterns = slices.DeleteFunc(it.Keywords, isPurged), slices.DeleteFunc(it.Patterns, isPurged)
}

// respellSkill reads the one skill of the tool before us as a scope.
func respellSkill(n *tree.Node) {
	skill := n.Get("skill")
	if skill == nil || skill.Kind != tree.ScalarNode || n.Get("scope") != nil {
		return
	}
	n.Remove("skill")
	if !skill.IsNull() {
		n.Add("scope", &tree.Node{Kind: tree.MapNode, Keys: []string{"skills"}, Vals: []*tree.Node{skill}})
	}
}

// readItem reads the front matter and the content.
func readItem(it *sage.Item, b []byte) error {
	text, err := Readable(b)
	if err != nil {
		return err
	}
	head, body, ok := SplitFrontMatter(text)
	if !ok && strings.HasPrefix(text, "---\n") {
		return errors.New("front matter is not closed: want a second line '---'")
	}
	n := &tree.Node{Kind: tree.MapNode}
	if ok {
		if n, err = ReadFrontMatter(head); err != nil {
			return err
		}
	}
	r := &Reader{item: true}
	if n.Kind != tree.MapNode {
		r.want(n, "front matter", "a mapping")
		return r.Err()
	}
	n.Remove(sage.TokensKey)
	respellSkill(n)
	r.mapping(n, "", it.Fields())
	it.Content, it.Extra, it.Variants = versions.Tidy(body), r.extra, it.InOrder(r.variants)
	return r.Err()
}

// scope reads a scope, which keeps the keys that nobody knows itself.
func (r *Reader) scope(n *tree.Node, path string, p *sage.Scope) {
	had := len(r.extra)
	r.mapping(n, path+".", p.Fields())
	for _, x := range r.extra[had:] {
		p.Extra = append(p.Extra, sage.Entry{Key: strings.TrimPrefix(x.Key, path+"."), Value: x.Value})
	}
	r.extra = r.extra[:had]
}

// links reads a mapping of kinds to ids.
func (r *Reader) links(n *tree.Node, path string, p *[]sage.Link) {
	if n.Kind != tree.MapNode {
		r.want(n, path, "a mapping of related, supersedes, contradicts or extends to lists of ids")
		return
	}
	*p = nil
	for i, kind := range n.Keys {
		var to []string
		r.read(n.Vals[i], path+"."+kind, &to)
		for _, id := range to {
			*p = append(*p, sage.Link{Kind: sage.LinkKind(kind), To: id})
		}
	}
}

// VariantsKey stands in a mapping of its own where versions of a field disagree.
const VariantsKey = "variants"

func isVariants(n *tree.Node) bool {
	return n.Kind == tree.MapNode && len(n.Keys) == 1 && n.Keys[0] == VariantsKey && n.Vals[0].Kind == tree.ListNode && len(n.Vals[0].Vals) > 1
}

// disagree reads versions of a field that disagree: the first that can be read is
// what the field holds until somebody settles it.
func (r *Reader) disagree(n *tree.Node, path string, ptr any) {
	list := n.Vals[0]
	r.variants = append(r.variants, sage.Entry{Key: path, Value: list.Value()})
	for _, v := range list.Vals {
		if readAlone(v, path, ptr) {
			return
		}
	}
}

func readAlone(n *tree.Node, path string, ptr any) bool {
	alone := &Reader{item: true}
	alone.read(n, path, ptr)
	if len(alone.errs) == 0 && len(alone.extra) == 0 && len(alone.variants) == 0 {
		return true
	}
	reflect.ValueOf(ptr).Elem().SetZero()
	return false
}

package cleanse

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// A Matcher says where in a text something stands that is purged.
type Matcher func(string) [][]int

func MatchRegexp(re *regexp.Regexp) Matcher {
	return func(s string) [][]int { return re.FindAllStringIndex(s, -1) }
}

func matchWords(words []string) Matcher {
	return func(s string) (found [][]int) {
		for _, w := range words {
			for at := 0; ; {
				i := strings.Index(s[at:], w)
				if i < 0 {
					break
				}
				found = append(found, []int{at + i, at + i + len(w)})
				at += i + len(w)
			}
		}
		return found
	}
}

// matcher is what is looked for at a site, nil if nothing is.
func (c *Cleaner) matcher(at site) Matcher {
	switch {
	case len(at.words) == 0:
		return c.Rule.Match
	case c.Rule.Match == nil:
		return matchWords(at.words)
	}
	words := matchWords(at.words)
	return func(s string) [][]int { return append(c.Rule.Match(s), words(s)...) }
}

// CompilePurge reads a pattern of `purge --match`. It refuses one that matches
// nothing at all, or what takes the place of a match: that would never end.
func CompilePurge(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("--match: %w", err)
	}
	for _, s := range []string{"", record.PurgedText, record.PurgedName} {
		if re.MatchString(s) {
			return nil, fmt.Errorf("--match: the pattern also matches '%s'; choose a narrower one", s)
		}
	}
	return re, nil
}

// Replace puts PurgedText for each match. Ids of objects stay, whatever they look
// like: they are no text of a person, and history would fall apart.
func (c *Cleaner) Replace(m Matcher, s string) string {
	return c.Put(m, s, record.PurgedText)
}

func (c *Cleaner) Put(m Matcher, s, text string) string {
	for range 8 { // what stands around a replacement may match with it
		next := c.putOnce(m, s, text)
		if next == s {
			break
		}
		s = next
	}
	return s
}

func (c *Cleaner) putOnce(m Matcher, s, text string) string {
	var b strings.Builder
	end := 0
	for _, at := range Joined(m(s)) {
		if c.InID(s, at) {
			continue
		}
		b.WriteString(s[end:at[0]] + text)
		end = at[1]
	}
	if end == 0 {
		return s
	}
	return b.String() + s[end:]
}

// Joined sorts matches and makes one of those that overlap.
func Joined(found [][]int) (out [][]int) {
	slices.SortFunc(found, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	for _, f := range found {
		if n := len(out); n > 0 && f[0] < out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], f[1])
		} else {
			out = append(out, slices.Clone(f))
		}
	}
	return out
}

// InID reports whether a match lies within the id of an object.
func (c *Cleaner) InID(s string, at []int) bool {
	from, to := at[0], at[1]
	if !record.IsHex(s[from:to]) {
		return false
	}
	for from > 0 && record.IsHex(s[from-1:from]) {
		from--
	}
	for to < len(s) && record.IsHex(s[to:to+1]) {
		to++
	}
	return c.isObject(s[from:to])
}

func (c *Cleaner) isObject(id string) bool {
	if len(id) != len(c.s.repo.Objects.Zero()) {
		return false
	}
	_, known := c.s.rewritten.Purges()[id]
	_, made := c.made[id]
	if known || made {
		return true
	}
	_, err := c.read(id)
	return err == nil
}

func (c *Cleaner) renamed(m Matcher, name string, taken func(string) bool) string {
	next := c.Put(m, name, record.PurgedName)
	if next == name {
		return name
	}
	ext := path.Ext(next)
	for n, base := 2, strings.TrimSuffix(next, ext); taken(next); n++ {
		next = fmt.Sprintf("%s-%d%s", base, n, ext)
	}
	return next
}

// form is how a file of this name is read: a checkpoint, YAML, or text.
func form(name string) string {
	switch {
	case name == "checkpoint.md":
		return name
	case path.Ext(name) == ".yaml", path.Ext(name) == ".md":
		return path.Ext(name)
	}
	return ""
}

// cleanText takes what m finds out of a file: first out of its values as they
// are read, so that it still can be read, then out of what is written.
func (c *Cleaner) cleanText(m Matcher, form, data string) (string, error) {
	out, readable := data, func(string) bool { return true }
	switch form {
	case "checkpoint.md":
		readable = func(s string) bool { _, err := codec.Parse([]byte(s)); return err == nil }
		out = c.cleanCheckpoint(m, data)
	case ".yaml":
		readable = isYAML
		out = c.cleanYAML(m, data)
	case ".md":
		if head, body, ok := frontMatter(data); ok {
			readable = func(s string) bool { h, _, ok := frontMatter(s); return ok && isYAML(h) }
			out = "---\n" + c.cleanYAML(m, head) + "---\n" + body
		}
	}
	if out = c.Replace(m, out); out != data && readable(data) && !readable(out) {
		return "", errShape
	}
	return out, nil
}

func (c *Cleaner) cleanCheckpoint(m Matcher, data string) string {
	cp, err := codec.Parse([]byte(data))
	if err != nil {
		return data
	}
	changed := false
	err = cp.MapText(func(s string) (string, error) {
		t := c.Replace(m, s)
		changed = changed || t != s
		return t, nil
	})
	if err != nil || !changed {
		return data
	}
	return string(codec.Marshal(cp))
}

func frontMatter(s string) (head, body string, ok bool) {
	rest, ok := strings.CutPrefix(s, "---\n")
	if !ok {
		return "", "", false
	}
	head, body, ok = strings.Cut(rest, "\n---\n")
	return head + "\n", body, ok
}

func isYAML(s string) bool { var n yaml.Node; return yaml.Unmarshal([]byte(s), &n) == nil }

// cleanYAML replaces in scalars, and quotes what it changed: a bracket begins a
// list in YAML.
func (c *Cleaner) cleanYAML(m Matcher, data string) string {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(data), &doc) != nil || !c.scalars(m, &doc) {
		return data
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if e.Encode(&doc) != nil || e.Close() != nil {
		return data
	}
	return b.String()
}

func (c *Cleaner) scalars(m Matcher, n *yaml.Node) (changed bool) {
	if n.Kind == yaml.ScalarNode {
		if t := c.Replace(m, n.Value); t != n.Value {
			n.Value, n.Style, n.Tag, changed = t, yaml.DoubleQuotedStyle, "!!str", true
		}
	}
	for _, x := range n.Content {
		changed = c.scalars(m, x) || changed
	}
	return changed
}

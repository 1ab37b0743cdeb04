package cleanse

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/rewritten"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
)

// Two clones may purge different things of one commit before either hears of the other. Were
// one of the two rewrites to win, what the other took out would be back in all clones until
// somebody purged it again: so one is made that lacks both. (TestPurgesMeet)

// rivals are the conflicting rewrites of an id, as far as all of it is here.
func (c *Cleaner) rivals(id string) (rewritten.ConflictingRewrites, bool) {
	if c.kins == nil {
		c.kins = c.Known.Conflicting()
	}
	k, ok := c.kins[id]
	return k, ok && (k.Gone || c.holdsAny(k.Final))
}

// meetFiles makes one file of what different purges made of it.
func (c *Cleaner) meetFiles(ids []string, form string) (string, error) {
	var out string
	for i, id := range ids {
		o, err := c.Get(id)
		if err != nil {
			return "", err
		}
		if out = meetForms(form, out, string(o.Data)); i == 0 {
			out = string(o.Data)
		}
	}
	return out, nil
}

// meetForms is without what is purged in either of two forms of a file.
func meetForms(form, a, b string) string {
	switch form {
	case "checkpoint.md":
		if t, ok := meetCheckpoints(a, b); ok {
			return t
		}
	case ".yaml":
		if t, ok := meetYAML(a, b); ok {
			return t
		}
	case ".md":
		headA, bodyA, okA := frontMatter(a)
		headB, bodyB, okB := frontMatter(b)
		if head, ok := meetYAML(headA, headB); ok && okA && okB {
			return "---\n" + head + "---\n" + meetTexts(bodyA, bodyB)
		}
	}
	return meetTexts(a, b)
}

func meetCheckpoints(a, b string) (string, bool) {
	x, err := codec.Parse([]byte(a))
	others := texts("checkpoint.md", []byte(b))
	if err != nil || len(others) != len(texts("checkpoint.md", []byte(a))) {
		return "", false
	}
	err = x.MapText(func(s string) (string, error) {
		t := meetTexts(s, others[0])
		others = others[1:]
		return t, nil
	})
	return string(codec.Marshal(x)), err == nil
}

func meetYAML(a, b string) (string, bool) {
	var x, y yaml.Node
	if a == b {
		return a, true
	}
	if yaml.Unmarshal([]byte(a), &x) != nil || yaml.Unmarshal([]byte(b), &y) != nil || !meetNodes(&x, &y) {
		return "", false
	}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	err := e.Encode(&x)
	return out.String(), err == nil
}

func meetNodes(a, b *yaml.Node) bool {
	if a.Kind != b.Kind || len(a.Content) != len(b.Content) {
		return false
	}
	if t := meetTexts(a.Value, b.Value); t != a.Value {
		a.Value, a.Style, a.Tag = t, yaml.DoubleQuotedStyle, "!!str"
	}
	for i := range a.Content {
		if !meetNodes(a.Content[i], b.Content[i]) {
			return false
		}
	}
	return true
}

// meetTexts is meetText, or nothing of two texts that cannot be of one.
func meetTexts(a, b string) string {
	if t, ok := meetText(a, b); ok {
		return t
	}
	return record.PurgedText
}

// mostMeeting bounds the steps of [meetText], beside those that long texts take anyway: some
// 5 ms. Two texts with ten parts purged take a few thousand.
const mostMeeting = 50_000

// meetText makes of two texts, each of the same one with parts of it purged, that
// without both. Each stretch of it that is left stands in both, so that nothing
// comes back which either purge took out. Texts in which there are too many ways to try
// count as of two: others choose them.
func meetText(a, b string) (string, bool) {
	failed := map[[2]int]bool{}
	left := mostMeeting + 4*(len(a)+len(b)) // a function of the texts, since all clones are to agree
	var from func(i, j int) (string, bool)
	from = func(i, j int) (string, bool) {
		start := i
		for i < len(a) && j < len(b) && a[i] == b[j] && !purgedAt(a, i) && !purgedAt(b, j) {
			i, j = i+1, j+1
		}
		same := a[start:i]
		if i == len(a) && j == len(b) {
			return same, true
		}
		at := [2]int{i, j}
		if left -= 1 + len(same); failed[at] || left < 0 {
			return "", false
		}
		x, k, in := &i, &j, b
		if !purgedAt(a, i) {
			if !purgedAt(b, j) {
				return "", false
			}
			x, k, in = &j, &i, a
		}
		*x += len(record.PurgedText)
		for { // it stands for ever more of the other
			if rest, ok := from(i, j); ok {
				left -= len(rest) / 64 // which is copied
				return same + record.PurgedText + strings.TrimPrefix(rest, record.PurgedText), true
			}
			if left--; *k >= len(in) || left < 0 {
				failed[at] = true
				return "", false
			}
			if purgedAt(in, *k) {
				*k += len(record.PurgedText)
			} else {
				*k++
			}
		}
	}
	return from(0, 0)
}

func purgedAt(s string, i int) bool { return strings.HasPrefix(s[i:], record.PurgedText) }

// meetWords makes the header and the message of a commit agree with conflicting rewrites of it. What
// cannot be brought together stays as in the one of which more was purged.
func (c *Cleaner) meetWords(next *rawCommit, ids []string) error {
	for _, id := range ids {
		o, err := c.Get(id)
		if err != nil {
			return err
		}
		other := ParseRaw(id, o.Data)
		next.head = meetLines(next.head, other.head)
		next.Message = meetLines(next.Message, other.Message)
	}
	return nil
}

func meetLines(a, b string) string {
	if t, ok := meetText(a, b); ok {
		return t
	}
	if strings.Count(b, record.PurgedText) > strings.Count(a, record.PurgedText) {
		return b
	}
	return a
}

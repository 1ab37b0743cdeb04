package validate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/gitstore/sage/tree"
	"github.com/git-sage/git-sage/prose/cut"
)

// Checkpoint reports everything that is wrong with c as the input of a person or
// agent, one line each, with the name of the field: words outside their sets,
// numbers outside their ranges, data that does not fit its domain, text that is
// no UTF-8, and too much of all. A stored checkpoint may fail and be read all
// the same: newer versions know more words.
func Checkpoint(c *sage.Checkpoint) error {
	v := &validator{}
	v.numbers(c)
	v.codeRefs(c)
	v.domain(c)
	for i, name := range c.SaidNone {
		if c.FieldAt(name) == nil {
			v.fail(fmt.Sprintf("said_none[%d]", i), "want the name of a field that can be empty, such as open_questions, have '%s'", legible.Visible(cut.Runes(name, 40)))
		}
	}
	v.values("fields", c.Fields, 0)
	for _, x := range c.Extra {
		v.values(x.Key, x.Value, 0)
	}
	if len(v.errs) == 0 { // texts walks values, which must be sound
		v.texts(c)
	}
	return errors.Join(v.errs...)
}

type validator struct{ errs []error }

// A Problem is what is wrong with a field, which it names.
type Problem string

func (p Problem) Error() string { return string(p) }

func (v *validator) fail(path, format string, args ...any) {
	if len(v.errs) < codec.MaxErrors {
		v.errs = append(v.errs, Problem(legible.Visible(path)+": "+fmt.Sprintf(format, args...)))
	}
}

// word checks s against the words that the field at path may hold.
func (v *validator) word(path, s string, allowed []string) {
	if s != "" && !slices.Contains(allowed, s) {
		want := strings.Join(allowed, ", ")
		if path == "trigger" { // people write branch-point, which Tidy reads
			want = strings.ReplaceAll(want, "_", "-")
		}
		v.fail(path, "want one of %s, have '%s'", want, legible.Visible(cut.Runes(s, 40)))
	}
}

// describeValue names the kind of x as a person would.
func describeValue(x any) string {
	switch x := x.(type) {
	case []any:
		return "a list"
	case map[string]any:
		return "a mapping"
	case string:
		return "'" + legible.Visible(cut.Runes(x, 40)) + "'"
	}
	return fmt.Sprint(x)
}

func (v *validator) numbers(c *sage.Checkpoint) {
	if f := c.Confidence; f != nil && !(*f >= 0 && *f <= 1) {
		v.fail("confidence", "want a number from 0 to 1, have %v", *f)
	}
	if r := c.CompressionRatio; !(r >= 0) || math.IsInf(r, 0) {
		v.fail("compression_ratio", "want a number from 0, have %v", r)
	}
	for _, n := range []struct {
		path string
		n    int
	}{{"message_count", c.MessageCount}, {"token_estimate", c.TokenEstimate}, {"checkpoint_tokens", c.CheckpointTokens}} {
		if n.n < 0 {
			v.fail(n.path, "want a number from 0, have %d", n.n)
		}
	}
	if _, ok := codec.FormatTime(c.Time); !ok && !c.Time.IsZero() {
		v.fail("ts", "want a year from 1 to 9999, have %d", c.Time.Year())
	}
}

func (v *validator) codeRefs(c *sage.Checkpoint) {
	for i, r := range c.CodeRefs {
		path := fmt.Sprintf("code_refs[%d]", i)
		if r.File == "" {
			v.fail(path+".file", "want a path relative to the repository's root, have nothing")
		}
		if l := r.Lines; l != [2]int{} && (l[0] < 1 || l[1] < l[0]) {
			v.fail(path+".lines", "want a first line from 1 and a last line not before it, have %d-%d", l[0], l[1])
		}
	}
}

// texts checks the words of sets, that all text is UTF-8, and the size.
func (v *validator) texts(c *sage.Checkpoint) {
	size := 0
	w := &sage.Walker{Fn: func(path, s string) (string, error) {
		size += len(s)
		if !utf8.ValidString(s) {
			v.fail(path, "text is not UTF-8")
		} else if allowed := sage.WordSets()[sage.Indexes().ReplaceAllString(path, "")]; allowed != nil {
			v.word(path, s, allowed)
		}
		return s, nil
	}}
	w.Checkpoint(c.Clone())
	if size <= codec.MaxSize {
		size = len(codec.Export(c))
	}
	if size > codec.MaxSize {
		v.fail("checkpoint", "%d bytes exceed the limit of %d for a checkpoint", size, codec.MaxSize)
	}
}

// values checks that x is one of the kinds that a file can hold.
func (v *validator) values(path string, x any, depth int) {
	if depth > tree.MaxDepth-2 {
		v.fail(path, "nested more than %d deep", tree.MaxDepth-2)
		return
	}
	switch x := x.(type) {
	case nil, bool, int64, float64, string:
	case []any:
		for i, item := range x {
			v.values(fmt.Sprintf("%s[%d]", path, i), item, depth+1)
		}
	case map[string]any:
		for key, item := range x {
			v.values(path+"."+key, item, depth+1)
		}
	default:
		v.fail(path, "values of type %T cannot be stored", x)
	}
}

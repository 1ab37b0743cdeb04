package ownership

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/codec"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// Whose a text is, is told by what it says. Its sum is noted where this user writes it or
// stands for it, so that it stays theirs wherever a merge or a purge takes it, and that
// nothing becomes theirs for having been touched here: a link, a tag, a status, a scope are
// no part of it. Those are part of the version that they left, see versions.go.

// SumSize is how many digits a sum has.
const SumSize = 2 * sha256.Size

// SumOf is the sum of what an item of a key says: all that is text, but for what only
// says where it belongs and whether it holds, in the words that there are for that. With
// always it says as well that it is to be given with every prompt.
func SumOf(key string, it *sage.Item, always bool) string {
	s := summer{sha256.New()}
	s.add("item", key, string(it.Type), it.Description, it.Source, it.Reason, it.Approach, it.WhyFailed, it.Learned, it.Content)
	s.unless(isPlainName, it.Replacement)
	s.unless(func(w string) bool { return slices.Contains(sage.ItemWords("status"), w) }, string(it.Status))
	s.unless(isHandle, it.Keywords...)
	s.unless(isHandle, it.Patterns...)
	s.unless(isHandle, it.When...)
	s.unless(isHandle, it.Aliases...)
	s.unless(isHandle, it.Scope.Paths...)
	s.unless(isPlainName, it.Scope.Skills...)
	for _, l := range it.Links {
		s.unless(isHandle, string(l.Kind))
		s.unless(isPlainName, l.To)
	}
	for _, r := range it.CodeRefs {
		s.add("ref", r.File, fmt.Sprint(r.Lines), r.Symbol, r.Snippet, r.Relevance)
	}
	if len(it.Extra)+len(it.Scope.Extra)+len(it.Variants) > 0 {
		more := sage.Item{Extra: it.Extra, Variants: it.Variants, Scope: sage.Scope{Extra: it.Scope.Extra}}
		s.add("more", string(codec.MarshalItem(&more)))
	}
	if always {
		s.add("always")
	}
	return s.hex()
}

// TextSum is the sum of what an item says, whatever it is called and whose it is.
func TextSum(it *sage.Item) string { return SumOf("", it, false) }

// SumOfCheckpoint is the sum of what a checkpoint says, "" if it says nothing.
func SumOfCheckpoint(c *sage.Checkpoint) string {
	lists := [][]string{c.KeyEvidence, c.OpenQuestions}
	if c.Thesis+c.CoreQuestion+c.ReasoningTrace == "" && len(slices.Concat(lists...)) == 0 {
		return ""
	}
	s := summer{sha256.New()}
	s.add("checkpoint", c.Thesis, c.CoreQuestion, c.ReasoningTrace)
	for _, list := range lists {
		s.add(fmt.Sprint(len(list)))
		s.add(list...)
	}
	return s.hex()
}

// SumOfCore is the sum of what is said of a core file.
func SumOfCore(file, summary string) string {
	s := summer{sha256.New()}
	s.add("core", file, summary)
	return s.hex()
}

// A summer sums up texts, each with its length.
type summer struct{ hash.Hash }

func (s summer) add(texts ...string) {
	var n [8]byte
	for _, t := range texts {
		binary.BigEndian.PutUint64(n[:], uint64(len(t)))
		s.Write(n[:])
		s.Write([]byte(t))
	}
}

// unless adds the texts that are not plain, and that are some.
func (s summer) unless(plain func(string) bool, texts ...string) {
	for _, t := range texts {
		if t != "" && !plain(t) {
			s.add("+", t)
		}
	}
}

func (s summer) hex() string { return hex.EncodeToString(s.Sum(nil)) }

func isPlainName(s string) bool { return naming.NameProblem(s) == "" }

// isHandle reports whether a keyword, a pattern or a path is short enough to bring an item
// back and not to say anything.
func isHandle(s string) bool {
	return utf8.RuneCountInString(s) <= 60 && len(strings.Fields(s)) <= 5
}

// Vouched reports whether this user stands for a sum.
func (own *Ownership) Vouched(sum string) bool {
	return own.repo.Options.Global || own.VouchedIDs().Has(sum) || own.BegunIDs().Has(sum)
}

// SumsOf are those that who wrote an item stands for.
func SumsOf(key string, it *sage.Item, always bool) []string {
	sums := []string{SumOf(key, it, false)}
	if always && it.Scope.Always {
		sums = append(sums, SumOf(key, it, true))
	}
	return sums
}

// SaysOther reports whether two versions of an item differ in what they say, and not only
// in what is said of them.
func SaysOther(a, b *sage.Item) bool {
	return a.Content != b.Content || a.Description != b.Description || a.Approach != b.Approach || a.WhyFailed != b.WhyFailed || a.Learned != b.Learned
}

// An ItemSum is what somebody stands for who stands for an item.
type ItemSum struct{ Sum, Always string }

// InConflict stands for the sum of an item that waits for a conflict to be settled.
const InConflict = "!"

func (of ItemSum) Matters() bool { return of.Sum != "-" && of.Sum != InConflict }

// What rules took out of a conversation, see [sage.Rules], is unconfirmed until somebody
// here confirms it, or saves on top of it: who goes on from there has seen it. Both are
// noted in sage/vouched.

// IsConfirmed reports whether somebody confirmed what rules made.
func (own *Ownership) IsConfirmed(id string) bool { return own.VouchedIDs().Has(id) }

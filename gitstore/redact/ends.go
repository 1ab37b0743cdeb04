package redact

import (
	"cmp"

	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// Margin is how much is looked at beyond a cut, in bytes, and left out again: a secret that
// the cut goes through lies in it, and half of one cannot be told from other text.
const Margin = 64 << 10

// Head is the beginning of a text without secrets, of at most so many bytes. Cutting first
// and looking for secrets then would leave the half of one that stands at the cut.
func (r *Redactor) Head(s string, most int) (string, []Finding, error) {
	cut := len(s) > most+Margin
	out, found, err := r.Text(words.HeadOf(s, most+Margin))
	if cut {
		out = words.HeadOf(out, max(0, len(out)-Margin))
	}
	return words.HeadOf(out, most), found, err
}

// tail is the same of the end of a text.
func (r *Redactor) tail(s string, most int) (string, []Finding, error) {
	cut := len(s) > most+Margin
	out, found, err := r.Text(words.TailOf(s, most+Margin))
	if cut {
		out = words.TailOf(out, max(0, len(out)-Margin))
	}
	return words.TailOf(out, most), found, err
}

// Ends are the beginning and the end of a text without secrets, of at most so many bytes
// each. The tail is "" if the head is all of it.
func (r *Redactor) Ends(s string, first, last int) (head, tail string, found []Finding, err error) {
	if len(s) > first+last+2*Margin {
		head, found, err = r.Head(s, first)
		tail, more, err2 := r.tail(s, last)
		return head, tail, Merge(found, more), cmp.Or(err, err2)
	}
	if head, found, err = r.Text(s); len(head) <= first+last {
		return head, "", found, err
	}
	return words.HeadOf(head, first), words.TailOf(head, last), found, err
}

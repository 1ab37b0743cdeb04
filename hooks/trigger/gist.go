package trigger

import (
	"strings"

	"github.com/git-sage/git-sage/prose"
)

// Gist is what a message is about, in at most n bytes: its prose on one line, without
// code, quotations and links. It is "" for one that says too little to have a topic, such
// as "yes, go on".
func Gist(text string, n int) string {
	if len(text) > mostText {
		text = text[:mostText]
	}
	var b strings.Builder
	words := 0
	for _, s := range prose.Read(text) {
		for w := range strings.FieldsSeq(prose.Spoken(s.Text)) {
			if w == prose.CodeWord || w == prose.QuoteWord || w == prose.LinkWord {
				continue
			}
			if b.Len()+len(w) >= n {
				return b.String()
			}
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
			words++
		}
	}
	if words < leastWords {
		return ""
	}
	return b.String()
}

// leastWords are those of a message that has a topic: with five, short remarks pass for changes of it.
const leastWords = 8

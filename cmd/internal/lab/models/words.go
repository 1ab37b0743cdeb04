package main

import (
	"bytes"
	"slices"

	"github.com/git-sage/git-sage/prose/terms"
)

// commonest is how many stems recall knows as common. With 1,000 to 30,000 of them it
// is as good (.502 to .499 of own prompts on LoCoMo knowledge).
const commonest = 2000

// common returns the stems of the most frequent words of a vocabulary that is in the
// order of frequency from "the" on.
func common(vocab []string) []byte {
	var out bytes.Buffer
	known := map[string]bool{}
	for _, w := range vocab[max(slices.Index(vocab, "the"), 0):] {
		stems := terms.Of(w)
		if len(known) == commonest || !isWord(w) || len(stems) != 1 || known[stems[0]] {
			continue
		}
		known[stems[0]] = true
		out.WriteString(stems[0] + "\n")
	}
	return out.Bytes()
}

// isWord reports whether w is two or more letters of English.
func isWord(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return len(w) > 1
}

package prose

import (
	"strings"

	"github.com/git-sage/git-sage/gitstore/redact/internal/pieces"
	"github.com/git-sage/git-sage/gitstore/redact/internal/vocabulary"
	"github.com/git-sage/git-sage/gitstore/redact/internal/words"
)

// plain reports whether the plain word v is a password: "the admin password is swordfish",
// not "the password is weak". A link tells it, the clause ends behind it, and it is none of
// the words that say something about a password.
func (w *Reader) plain(v pieces.Piece, from int, link string) bool {
	text := v.In(w.s)
	if v.To-v.From < 4 || !w.ends(v, from, link) {
		return false
	}
	return vocabulary.PlainWord(text, link) && !w.supposed(from)
}

// ends reports whether the sentence ends behind v as one that tells a password does.
func (w *Reader) ends(v pieces.Piece, from int, link string) bool {
	s := w.s
	switch link {
	case "be": // "must be absolute", "can be a buffer"
		return false
	case "to", "auf": // "use the password to connect" goes on, "set the password to" has its value
		line := words.Lower(s[max(0, from-24):from])
		rest := words.Lower(s[v.End:min(len(s), v.End+12)])
		if !words.HasEnd(line, "set the ", "set my ", "set our ") && !(strings.Contains(line, "set the ") && !strings.ContainsAny(line, ".\n")) &&
			!strings.HasPrefix(rest, " gesetzt") && !strings.HasPrefix(rest, " geändert") {
			return false
		}
		return strings.HasPrefix(rest, " ge") || w.clauseEnds(v)
	case ":", "=", "=>", ":=", "->", "→", "⇒", "：": // words stand between the name and the sign
		return v.End >= len(s) || s[v.End] == '\n' || s[v.End] == '\r'
	}
	return w.clauseEnds(v)
}

// clauseEnds reports whether nothing follows v that would make it the attribute of a noun.
func (w *Reader) clauseEnds(v pieces.Piece) bool {
	s := w.s
	switch tail := s[v.To:v.End]; {
	case strings.ContainsAny(tail, "?:*"):
		return false
	case tail != "":
		return true
	}
	at := words.Blanks(s, v.End, len(s))
	if at >= len(s) || at > v.End && (s[at] == '(' || s[at] == '-' || strings.HasPrefix(s[at:], "–") || strings.HasPrefix(s[at:], "—")) {
		return true
	}
	switch s[at] {
	case '\n', '\r', '"', '`', '!', '<', '\\':
		return true
	}
	next := words.Lower(pieces.At(s, at).In(s))
	switch next {
	case "and", "but", "until", "till", "since", "for", "on", "btw", "lol", "now", "again", "everywhere", "und", "aber", "bis", "seit", "et", "mais", "jusqu'à", "depuis",
		"y", "pero", "hasta", "desde":
		return at > v.End
	}
	return false
}

// supposed reports whether the sentence only supposes what the name at s[from] is, or means
// no certain one: "if the password is ...", "a password is ...".
func (w *Reader) supposed(from int) bool {
	line := w.s[max(0, from-40):from]
	line = line[strings.LastIndexAny(line, "\n.;")+1:]
	words := strings.FieldsFunc(words.Lower(line), func(r rune) bool { return r <= ' ' || r == '(' || r == '"' || r == '\'' })
	for _, b := range words[max(0, len(words)-4):] {
		switch b {
		case "if", "whether", "when", "unless", "until", "once", "while", "that", "assert", "assume", "ensure", "wenn", "ob", "falls", "sobald", "dass", "si", "cuando",
			"quand", "lorsque", "que", "sinon", "se", "where", "each", "every", "any", "no", "cada", "kein", "jedes", "chaque", "aucun", "ningún":
			return true
		}
	}
	if n := len(words); n > 0 {
		switch words[n-1] {
		case "a", "an", "ein", "un", "une", "una", "um", "uma":
			return true
		}
	}
	return false
}

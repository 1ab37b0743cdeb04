package trigger

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose"
)

// A sentence is one of a text, or a part of it, as words in small letters and marks.
type sentence struct {
	said  prose.Sentence // as it was written
	text  string         // without code, quotations and links
	words []word
	asks  bool // ends in a question mark
}

// A word of a sentence. A mark, such as a comma, is one as well.
type word struct {
	text string // small letters
	kind wordKind
}

type wordKind uint8

const (
	plainWord wordKind = iota
	mark               // , : - ( ) / ...
	number             // 9, 40%, 2.1, three
	name               // of something: it has a capital where none is due, or digits in it
)

// maxWords is how many words a sentence has at most; a longer one is taken for several.
const maxWords = 100

// split are the sentences of a text. What a semicolon divides counts apart.
func split(text string) (out []sentence) {
	for _, s := range prose.Read(text) {
		for part := range strings.SplitSeq(prose.Spoken(s.Text), "; ") {
			for _, x := range parse(part) {
				x.said = s
				out = append(out, x)
			}
		}
	}
	return out
}

// clitics are the ends of words that are words of their own.
var clitics = []struct{ end, is string }{
	{"n't", "not"}, {"'ll", "will"}, {"'re", "are"}, {"'ve", "have"}, {"'m", "am"}, {"'s", "'s"}, {"'d", "would"},
}

// spelt are words that are written otherwise when one is in a hurry, or are several.
var spelt = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"cannot": {"can", "not"}, "can't": {"can", "not"}, "cant": {"can", "not"}, "won't": {"will", "not"}, "wont": {"will", "not"},
		"shan't": {"shall", "not"}, "dont": {"do", "not"}, "doesnt": {"does", "not"}, "didnt": {"did", "not"}, "isnt": {"is", "not"},
		"arent": {"are", "not"}, "wasnt": {"was", "not"}, "mustnt": {"must", "not"}, "couldnt": {"could", "not"}, "hasnt": {"has", "not"},
		"havent": {"have", "not"}, "wouldnt": {"would", "not"}, "shouldnt": {"should", "not"}, "im": {"i", "am"}, "ive": {"i", "have"},
		"thats": {"that", "'s"}, "whats": {"what", "'s"}, "theres": {"there", "'s"}, "youre": {"you", "are"}, "youve": {"you", "have"},
		"lets": {"let", "'s"}, "weve": {"we", "have"}, "theyre": {"they", "are"}, "noone": {"nobody"}, "no-one": {"nobody"},
		"gonna": {"going", "to"}, "wanna": {"want", "to"}, "gotta": {"have", "to"}, "pls": {"please"}, "plz": {"please"}, "thx": {"thanks"},
		"u": {"you"}, "ur": {"your"}, "sth": {"something"}, "bc": {"because"}, "okay": {"ok"}, "yep": {"yes"}, "yeah": {"yes"}, "yup": {"yes"},
		"&": {"and"}, "to-do": {"todo"}, "check-point": {"checkpoint"}, "tradeoff": {"trade-off"}, "tradeoffs": {"trade-off"}, "trade-offs": {"trade-off"},
		"versus": {"vs"}, "licence": {"license"}, "licences": {"licenses"},
	}
})

var numerals = prose.WordSet("two three four five six seven eight nine ten eleven twelve dozen hundred thousand million billion")

// parse are the words of a sentence, as several if it is endless.
func parse(text string) (out []sentence) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "’", "'"))
	s := sentence{text: text, asks: strings.HasSuffix(strings.TrimRight(text, ") "), "?")}
	for f := range strings.FieldsSeq(text) {
		s.words = appendWords(s.words, f)
		if len(s.words) >= maxWords {
			out, s.words = append(out, s), nil
		}
	}
	if len(s.words) > 0 {
		out = append(out, s)
	}
	return out
}

// appendWords appends the words of a piece of text without spaces.
func appendWords(list []word, f string) []word {
	if f == prose.CodeWord || f == prose.QuoteWord || f == prose.LinkWord {
		return append(list, word{f, plainWord})
	}
	if w, ok := spelt()[strings.ToLower(f)]; ok && f == "&" {
		return append(list, word{w[0], plainWord})
	}
	if strings.EqualFold(f, "w/") {
		return append(list, word{"with", plainWord})
	}
	for f != "" {
		n := strings.IndexFunc(f, func(r rune) bool { return !inWord(r) })
		if n != 0 {
			if n < 0 {
				n = len(f)
			}
			list = appendWord(list, strings.Trim(f[:n], "-."))
			f = f[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(f)
		if m := markOf(r); m != "" && (len(list) == 0 || list[len(list)-1].text != m) {
			list = append(list, word{m, mark})
		}
		f = f[n:]
	}
	return list
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("'-._%§#+^$€£@", r)
}

// markOf is a mark as patterns have it; "" for one that says nothing.
func markOf(r rune) string {
	switch r {
	case ',', ':', '(', ')', '?', '!', '/', '=', '<', '>':
		return string(r)
	case '—', '–', '…':
		return "-"
	}
	return ""
}

func appendWord(list []word, w string) []word {
	lower := strings.ToLower(strings.Trim(w, "'"))
	if lower == "" {
		if w == "" {
			return append(list, word{"-", mark}) // a dash of its own
		}
		return list
	}
	if parts, ok := spelt()[lower]; ok {
		for _, p := range parts {
			list = append(list, word{p, plainWord})
		}
		return list
	}
	for _, c := range clitics {
		if head, ok := strings.CutSuffix(lower, c.end); ok && head != "" {
			return append(list, word{head, kindOf(head, true)}, word{c.is, plainWord})
		}
	}
	return append(list, word{lower, kindOf(w, len(list) == 0)})
}

// kindOf is what a word is by its look.
func kindOf(w string, first bool) wordKind {
	lower := strings.ToLower(w)
	if numerals()[lower] {
		return number
	}
	r, n := utf8.DecodeRuneInString(w)
	if strings.ContainsAny(w, "0123456789") {
		if unicode.IsLetter(r) {
			return name
		}
		return number
	}
	rest := w[n:]
	capital := unicode.IsUpper(r) && lower != "i"
	if strings.ToLower(rest) != rest || capital && !first && len(w) > 1 {
		return name
	}
	return plainWord
}

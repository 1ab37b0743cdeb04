package suspect

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/recall/brief"
)

// hidden notes what a reader does not see, or what moves what they see, unless people have it
// in what they paste: a mark of byte order, a soft hyphen, a lone zero-width blank at the edge
// of a word, colours of a terminal, embeddings beside letters written from right to left.
func hidden(text string, note func(rule string, from, to int)) {
	shown := legible.Visible(text)
	if shown == text {
		return
	}
	from, to := -1, -1 // of what is hidden in a row
	end := func() {
		if from >= 0 && isSuspect(text, from, to) {
			note(Hidden, from, to)
		}
		from = -1
	}
	for i, r := range text {
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			_, n = utf8.DecodeRuneInString(text[i:])
		}
		if strings.HasPrefix(shown, text[i:i+n]) {
			shown = shown[n:]
			end()
			continue
		}
		_, shown, _ = strings.Cut(shown, "}")
		if from < 0 {
			from = i
		}
		to = i + n
	}
	end()
}

// isSuspect reports whether hidden characters in a row are more than people paste.
func isSuspect(text string, from, to int) bool {
	first, size := utf8.DecodeRuneInString(text[from:])
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	hiddenIn := func(in ...*unicode.RangeTable) bool {
		return strings.ContainsFunc(text[from:to], func(r rune) bool { return unicode.In(r, in...) })
	}
	switch {
	case hiddenIn(tagBlock, overrides):
		return true
	case hiddenIn(embeddings):
		line := text[strings.LastIndexByte(text[:from], '\n')+1:]
		line, _, _ = strings.Cut(line, "\n")
		return !strings.ContainsFunc(line, func(r rune) bool {
			return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
		})
	case first == 0x1b:
		return !isColour().MatchString(text[from:])
	case first == '\b' || first == 0x7f || first == 0 || first == 0x9b:
		return true
	case first == 0xad || first == utf8.RuneError || unicode.In(first, unicode.Cc, unicode.Zl, unicode.Zp) || from == 0 && first == 0xfeff:
		return false
	case utf8.RuneCountInString(text[from:to]) > 1 || first >= 0xe0100 && first <= 0xe01ef:
		return true
	}
	return size > 1 && inAlphabet(before) && inAlphabet(after)
}

var (
	tagBlock   = &unicode.RangeTable{R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe007f, Stride: 1}}}
	overrides  = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x202d, Hi: 0x202e, Stride: 1}}}
	embeddings = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x202a, Hi: 0x202c, Stride: 1}, {Lo: 0x2066, Hi: 0x2069, Stride: 1}}}

	// isColour is a colour or weight of a terminal, and no text that it conceals (8).
	isColour = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\x1b\[(?:(?:[0-79]|[1-9]\d)?(?:;\d+)*)m`) })
)

// inAlphabet reports whether a letter is of one of the alphabets that words are spelt in without
// anything between their letters.
func inAlphabet(r rune) bool { return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) }

// mixedWords notes words that have letters of another alphabet which look like those of their
// own. Signs of mathematics and units begin words (μs, Δt), and Russian adds its endings to
// Latin names (PDFа), where the text is Russian.
func mixedWords(text string, note func(rule string, from, to int)) {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Cyrillic, unicode.Greek) }) {
		return
	}
	for from := 0; from < len(text); {
		r, n := utf8.DecodeRuneInString(text[from:])
		if !unicode.IsLetter(r) {
			from += n
			continue
		}
		size := strings.IndexFunc(text[from:], func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
		if size < 0 {
			size = len(text) - from
		}
		if isMixed(text[from:from+size], text) {
			note(Alphabet, from, from+size)
		}
		from += size
	}
}

func isMixed(word, text string) bool {
	latin, alike, others := 0, 0, 0
	lastLatin, switchesBack, greekFirst := false, false, false
	for i, r := range word {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
			switchesBack = switchesBack || alike > 0 && !lastLatin
			lastLatin = true
			continue
		case !unicode.In(r, unicode.Cyrillic, unicode.Greek) || brief.LookAlike(r) == 0:
			others++
		default:
			alike++
			greekFirst = i == 0 && unicode.Is(unicode.Greek, r) && unicode.IsLower(r)
		}
		lastLatin = false
	}
	switch {
	case latin == 0 || alike == 0 || others > 0 || latin+alike < 4:
		return false
	case greekFirst && alike == 1: // μsec
		return false
	}
	return switchesBack || !isCyrillicProse(text)
}

// isCyrillicProse reports whether a text has words that are Cyrillic as a whole.
func isCyrillicProse(text string) bool {
	for w := range strings.FieldsSeq(text) {
		if utf8.RuneCountInString(w) >= 3 && !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsLetter(r) && !unicode.Is(unicode.Cyrillic, r) }) && strings.ContainsFunc(w, unicode.IsLetter) {
			return true
		}
	}
	return false
}

// encodings are the forms in which texts are encoded, and what reads them.
var encodings = sync.OnceValue(func() []encoding {
	return []encoding{
		{regexp.MustCompile(`[A-Za-z0-9+/_-]{20,}={0,2}`), func(s string) ([]byte, error) {
			s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
			return base64.RawStdEncoding.DecodeString(s[:len(s)-truth(len(s)%4 == 1)])
		}},
		{regexp.MustCompile(`\b(?:[0-9a-fA-F]{2}){10,}\b`), hex.DecodeString},
		{regexp.MustCompile(`(?:\\x[0-9a-fA-F]{2}){6,}`), func(s string) ([]byte, error) { return hex.DecodeString(strings.ReplaceAll(s, `\x`, "")) }},
		{regexp.MustCompile(`(?:%[0-9a-fA-F]{2}|[\w.+/-]){6,}(?:%[0-9a-fA-F]{2}[\w.+/-]*){4,}`), func(s string) ([]byte, error) { d, err := url.PathUnescape(s); return []byte(d), err }},
	}
})

type encoding struct {
	form   *regexp.Regexp
	decode func(string) ([]byte, error)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shell is a command with an argument that does something.
var shell = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:curl|wget|nc|ncat|bash|zsh|sh|python3?|perl|ruby|node|powershell|iex|eval|rm|chmod|sudo|scp|ssh|cat|export|crontab)\s+(?:-{1,2}\w|https?://|[~/$"'<]|\+x|[\w.-]+@)|\bhttps?://\S+\s*\|\s*\w*sh\b`)
})

// encoded notes what decodes to a command, or to what another rule finds.
func encoded(text string, note func(rule string, from, to int)) {
	for from := 0; from < len(text); {
		size := strings.IndexAny(text[from:], " \t\n\r\f\v")
		if size < 0 {
			size = len(text) - from
		}
		if size >= leastEncoded {
			encodedIn(text[from:from+size], func(rule string, at, to int) { note(rule, from+at, from+to) })
		}
		from += size + 1
	}
}

// leastEncoded is how many bytes the least has that any of the encodings takes, none a blank.
const leastEncoded = 18

// encodedIn is encoded of what has no blanks.
func encodedIn(text string, note func(rule string, from, to int)) {
	for _, e := range encodings() {
		for _, at := range e.form.FindAllStringIndex(text, -1) {
			b, err := e.decode(text[at[0]:at[1]])
			if err != nil || !utf8.Valid(b) || strings.ContainsFunc(string(b), func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }) {
				continue
			}
			if shell().Match(b) || len(find(string(b), false)) > 0 {
				note(Encoded, at[0], at[1])
			}
		}
	}
}

// Skeleton is a name as it looks at a glance: names of the same skeleton are taken for each
// other. It folds letters of other alphabets, digits and letters that look alike, and signs
// between words.
func Skeleton(name string) string {
	return strings.NewReplacer("rn", "m", "vv", "w", "cl", "d", "0", "o", "1", "l", "i", "l", "5", "s", "_", "-", ".", "-").Replace(fold(name).text)
}

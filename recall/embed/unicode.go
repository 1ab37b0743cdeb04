package embed

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// decomposed takes a character as what it is made of: é is e and an accent. Marks
// that would have to change places are dropped anyway.
func (s *scanner) decomposed(r rune, text string) {
	if r >= hangul && r < hangul+hangulCount {
		s.jamo(int(r - hangul))
		return
	}
	parts := norm.NFD.PropertiesString(text).Decomposition()
	if parts == nil {
		s.plain(r)
		return
	}
	for _, p := range string(parts) {
		s.plain(p)
	}
}

// Hangul syllables are numbered by their letters: chapter 3.12 of the Unicode
// standard.
const (
	hangul      = 0xAC00
	hangulCount = 11172
	leads       = 0x1100
	vowels      = 0x1161
	tails       = 0x11A7 // one before the first: 0 is none
	vowelCount  = 21
	tailCount   = 28
)

func (s *scanner) jamo(i int) {
	s.plain(rune(leads + i/tailCount/vowelCount))
	s.plain(rune(vowels + i/tailCount%vowelCount))
	if tail := i % tailCount; tail > 0 {
		s.plain(rune(tails + tail))
	}
}

// isControl is for what leaves no trace: category C.
func isControl(r rune) bool { return unicode.Is(unicode.C, r) }

// isIdeograph is for the Chinese characters, each of which is a word.
func isIdeograph(r rune) bool {
	return r >= 0x3400 && r <= 0x4DBF || r >= 0x4E00 && r <= 0x9FFF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2CEAF || r >= 0x2F800 && r <= 0x2FA1F
}

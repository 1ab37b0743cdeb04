package legible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns s with every character that a reader cannot see, or that
// changes how others are seen, written as \u{202e}: controls but newline and
// tab, line separators, bidirectional controls, zero-width and tag characters,
// and \x{ff} for a byte that is no UTF-8. What emoji and real scripts need to
// be drawn stays: joiners inside emoji and between letters of scripts that
// join, tags of a flag, marks beside letters written from right to left.
func Visible(s string) string {
	if isASCIIText(s) {
		return s
	}
	runes := []rune(s)
	var b strings.Builder
	i := 0
	for at := 0; at < len(s); i++ {
		r, n := utf8.DecodeRuneInString(s[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x{%02x}`, s[at])
		case Hidden(r) && !belongs(runes, i):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(s[at : at+n])
		}
		at += n
	}
	return b.String()
}

// OneLine is Visible on one line, each run of blanks and newlines one space.
func OneLine(s string) string { return strings.Join(strings.Fields(Visible(s)), " ") }

func isASCIIText(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// Hidden reports whether r has no glyph of its own, or changes how others are seen: newline and
// tab are seen.
func Hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

const (
	zeroWidthNonJoiner = 0x200c
	zeroWidthJoiner    = 0x200d
	leftToRightMark    = 0x200e
	rightToLeftMark    = 0x200f
	firstTag           = 0xe0020
	lastTag            = 0xe007f
	blackFlag          = 0x1f3f4
)

// belongs reports whether the hidden rune at i is part of how its neighbours
// are drawn.
func belongs(runes []rune, i int) bool {
	r, before, after := runes[i], at(runes, i-1), at(runes, i+1)
	switch {
	case r == zeroWidthJoiner && isEmojiEnd(before) && isEmoji(after):
		return true
	case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
		return unicode.In(before, joining...)
	case r == leftToRightMark || r == rightToLeftMark:
		return isRightToLeft(before) || isRightToLeft(after)
	case r >= firstTag && r <= lastTag:
		return inFlag(runes, i)
	case r == 0xfe0e || r == 0xfe0f:
		return isEmoji(before) || strings.ContainsRune("0123456789#*", before)
	case r >= 0xe0100 && r <= 0xe01ef:
		return unicode.Is(unicode.Han, before)
	case r >= 0xfe00 && r <= 0xfe0d || r >= 0x180b && r <= 0x180f:
		return unicode.In(before, unicode.Han, unicode.Mongolian, unicode.Myanmar, unicode.Sm)
	}
	return isArabicSign(r)
}

func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) {
		return 0
	}
	return runes[i]
}

// joining are scripts whose letters take another form beside a joiner.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
	unicode.Khmer, unicode.Myanmar,
}

func isRightToLeft(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// isArabicSign reports whether r is a sign of the Arabic script that stands
// over the numbers after it, and is drawn.
func isArabicSign(r rune) bool {
	return r >= 0x600 && r <= 0x605 || r == 0x6dd || r == 0x70f || r == 0x8e2
}

func isEmoji(r rune) bool {
	return unicode.Is(unicode.So, r) || r == 0x2194 || r == 0x2195 || r == 0x203c || r == 0x2049
}

// isEmojiEnd also takes what an emoji may end with: a skin tone, a variation
// selector, a tag.
func isEmojiEnd(r rune) bool {
	return isEmoji(r) || r == 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || r == lastTag
}

// inFlag reports whether the tag at i belongs to the flag of a region: a black
// flag, up to six letters or digits, and the closing tag.
func inFlag(runes []rune, i int) bool {
	start := i
	for isTag(at(runes, start-1)) && i-start <= 6 {
		start--
	}
	end := i
	for runes[end] != lastTag && isTag(at(runes, end+1)) && end-start <= 6 {
		end++
	}
	return at(runes, start-1) == blackFlag && runes[end] == lastTag && end-start <= 6
}

func isTag(r rune) bool { return r >= firstTag && r <= lastTag }

package plain

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
)

// Said is what is to be said of how a text was decoded.
type Said struct {
	Text  string
	Whole bool // nothing of it is lost
}

// Decode makes text of a file that may have been saved by an editor of Windows, or cut by a
// power failure.
func Decode(b []byte) (text string, list []Said) {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		b, list = fromUTF16(b[2:], binary.LittleEndian), append(list, Said{"was UTF-16", true})
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		b, list = fromUTF16(b[2:], binary.BigEndian), append(list, Said{"was UTF-16", true})
	}
	if n := bytes.Count(b, []byte{0}); n > 0 {
		b = bytes.ReplaceAll(b, []byte{0}, nil)
		list = append(list, Said{fmt.Sprintf("%s left out: a power failure may have cut the file", legible.Count(n, "NUL byte")), false})
	}
	if !utf8.Valid(b) {
		s, ok := fromWindows1252(b)
		if !ok {
			return "", append(list, Said{"is neither UTF-8 nor Windows-1252", false})
		}
		b, list = []byte(s), append(list, Said{"is not UTF-8 and was read as Windows-1252; check that its letters are right", true})
	}
	return strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n"), list
}

func fromUTF16(b []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = order.Uint16(b[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// windows1252 are the characters of the bytes from 80 to 9f; 0 is none.
var windows1252 = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

func fromWindows1252(b []byte) (string, bool) {
	var s strings.Builder
	for _, c := range b {
		r := rune(c)
		if 0x80 <= c && c < 0xa0 {
			if r = windows1252[c-0x80]; r == 0 {
				return "", false
			}
		}
		s.WriteRune(r)
	}
	return s.String(), true
}

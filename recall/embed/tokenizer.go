package embed

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/recall/embed/format"
)

// tokenizer is the WordPiece of uncased BERT on the hash table in the file of
// weights: nothing is built at start. It is Hugging Face's but for one thing: a text
// that holds "[MASK]" or "[SEP]" gets no special token for it.
type tokenizer struct {
	slots, ends, text   []byte
	unknown, start, end int32
}

// maxWord is the number of characters of the longest word that is looked up in
// pieces; longer ones are unknown, as in the original.
const maxWord = 100

// encode is the token ids of the prefix and the text between the special ones, at
// most limit in all.
func (t *tokenizer) encode(prefix, text string, limit int) []int32 {
	s := scanner{t: t, ids: append(make([]int32, 0, 64), t.start), limit: limit - 1}
	s.scan(prefix)
	s.scan(text)
	return append(s.ids[:min(len(s.ids), limit-1)], t.end)
}

// count is the number of ids that a text has.
func (t *tokenizer) count(text string) int {
	s := scanner{t: t, counts: true}
	s.scan(text)
	return s.counted + len(s.ids)
}

// scanner turns text into words and words into ids.
type scanner struct {
	t       *tokenizer
	ids     []int32
	limit   int // stop when there are so many ids
	counts  bool
	counted int    // ids that were taken out of ids, when only their number is wanted
	word    []byte // the word that is being read, in lower case and without accents
	runes   int    // its characters, also those that word does not hold any more
}

func (s *scanner) scan(text string) {
	for i := 0; i < len(text) && (s.counts || len(s.ids) < s.limit); {
		if c := text[i]; c < utf8.RuneSelf {
			s.ascii(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		s.rune(r, text[i:i+n])
		i += n
	}
	s.flush()
}

// What a character is to the tokenizer.
const (
	letter = iota
	space
	punct
	nothing // control characters are dropped, they do not end a word
)

func (s *scanner) ascii(c byte) {
	switch asciiClass[c] {
	case letter:
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		s.add(rune(c))
	case space:
		s.flush()
	case punct:
		s.alone(rune(c))
	}
}

var asciiClass = func() (class [utf8.RuneSelf]byte) {
	for c := range class {
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			class[c] = space
		case c < ' ' || c == 0x7f:
			class[c] = nothing
		case c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z':
			class[c] = punct
		}
	}
	return class
}()

// rune takes a character outside ASCII, whose bytes are text.
func (s *scanner) rune(r rune, text string) {
	switch {
	case r == utf8.RuneError || isControl(r): // also bytes that are no UTF-8
	case unicode.Is(unicode.Z, r):
		s.flush()
	case isIdeograph(r):
		// Those of compatibility decompose into another one, which stands alone as well.
		s.flush()
		s.decomposed(r, text)
		s.flush()
	default:
		s.decomposed(r, text)
	}
}

// plain takes a character of the decomposed text.
func (s *scanner) plain(r rune) {
	switch {
	case r < utf8.RuneSelf:
		s.ascii(byte(r))
	case unicode.Is(unicode.Mn, r): // accents
	case unicode.IsPunct(r):
		s.alone(r)
	default:
		s.add(unicode.ToLower(r))
	}
}

func (s *scanner) add(r rune) {
	s.runes++
	if s.runes <= maxWord {
		s.word = utf8.AppendRune(s.word, r)
	}
}

// alone takes a character that is a word by itself.
func (s *scanner) alone(r rune) {
	s.flush()
	s.add(r)
	s.flush()
}

// flush ends the word.
func (s *scanner) flush() {
	switch {
	case s.runes > maxWord:
		s.ids = append(s.ids, s.t.unknown)
	case s.runes > 0:
		s.pieces()
	}
	s.word, s.runes = s.word[:0], 0
	if s.counts {
		s.counted += len(s.ids)
		s.ids = s.ids[:0]
	}
}

// pieces appends the ids of the word: the longest token that it begins with, then
// the longest continuation, and so on; unknown if there is none at some point.
func (s *scanner) pieces() {
	mark, word := len(s.ids), s.word
	var hashes [maxWord*utf8.UTFMax + 1]uint32 // of word[from:i]
	for from := 0; from < len(word); {
		h, prefix := uint32(format.HashStart), ""
		if from > 0 {
			prefix = "##"
			h = (h ^ '#') * format.HashPrime
			h = (h ^ '#') * format.HashPrime
		}
		for i := from; i < len(word); i++ {
			h = (h ^ uint32(word[i])) * format.HashPrime
			hashes[i+1] = h
		}
		id, end := int32(-1), len(word)
		for ; end > from && id < 0; end-- {
			if end == len(word) || utf8.RuneStart(word[end]) {
				id = s.t.lookup(hashes[end], prefix, word[from:end])
			}
		}
		if id < 0 {
			s.ids = append(s.ids[:mark], s.t.unknown)
			return
		}
		s.ids = append(s.ids, id)
		from = end + 1 // the loop has taken one off
	}
}

// lookup is the id of the token that consists of prefix and word, -1 if there is
// none. h is its hash.
func (t *tokenizer) lookup(h uint32, prefix string, word []byte) int32 {
	n := len(t.slots) / 2
	for at := format.Hash(h, n); ; at = (at + 1) & (n - 1) {
		id := int(binary.LittleEndian.Uint16(t.slots[2*at:]))
		if id == 0xffff {
			return -1
		}
		from, to := binary.LittleEndian.Uint32(t.ends[4*id:]), binary.LittleEndian.Uint32(t.ends[4*id+4:])
		token := t.text[from:to]
		if len(token) == len(prefix)+len(word) && string(token[:len(prefix)]) == prefix && string(token[len(prefix):]) == string(word) {
			return int32(id)
		}
	}
}

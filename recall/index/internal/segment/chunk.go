package segment

import (
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose/cut"
)

const (
	// maxChunk is how many tokens a chunk has at most. A vector of a longer text says
	// less of each sentence: on MemoryCode, whose sessions have 500 tokens, the newest of
	// several rules stood first in 95% of the questions with 128, in 88% with 256, where the
	// question asked for the current one and time alone decided among the best.
	maxChunk = 128
	// overlap is how many of them the next one repeats, so that what belongs together
	// stands together in one.
	overlap = 32
	// longToken is how many bytes a token may have on average for a text to be counted
	// at all: English has four. Longer texts are cut unseen, for each count reads all.
	longToken = 32
	// maxTitle is how many bytes of a title stand before each chunk.
	maxTitle = 200
)

// A Cutter cuts documents into what is searched.
type Cutter struct {
	Count func(text string) int // tokens, as the model counts; nil estimates
}

// A span is a piece of a body.
type span struct{ From, To int }

// count returns how many tokens a text has: by the model's tokenizer, or else by
// four bytes a token, which is what English has on average.
func (c Cutter) count(text string) int {
	if c.Count != nil {
		return c.Count(text)
	}
	return (len(text) + 3) / 4
}

// ChunkText is what the model gets of a chunk: below the title, but for what stands apart, of
// which that would take most. With it 7% of prompts that share no word with what they need were
// given that unasked, and 40% are without (testdata/facts). Keywords are not in it: with them
// nothing more was found there, and 7% instead of 5% of foreign prompts were given something.
func ChunkText(title, body string) string {
	if ask, ok := strings.CutPrefix(body, apartMark); ok {
		return ask
	}
	title = strings.TrimSpace(title)
	if title == "" || strings.HasPrefix(body, title) {
		return body
	}
	return cut.Bytes(title, maxTitle) + "\n" + body
}

// Chunks cuts what is searched of a document: its body, and what stands apart each by itself, for
// one vector of both would say less of each. One without any text has none.
func (c Cutter) Chunks(d *Doc) []span {
	out := c.bodyChunks(d)
	at := len(d.Body)
	for _, ask := range d.Apart {
		from := at + len("\n")
		at = from + len(apartMark) + len(ask)
		out = append(out, span{from, at})
	}
	return out
}

func (c Cutter) bodyChunks(d *Doc) []span {
	if strings.TrimSpace(d.Title) == "" && strings.TrimSpace(d.Body) == "" {
		return nil
	}
	most := maxChunk
	if d.Title != "" {
		most -= min(c.count(cut.Bytes(d.Title, maxTitle))+1, maxChunk/2)
	}
	return packed(d.Body, most, c.count)
}

// packed cuts text into pieces of at most `most` tokens that overlap, at the ends of
// sentences and lines where there are any.
func packed(text string, most int, count func(string) int) []span {
	if len(text) <= most || len(text) <= most*longToken && count(text) <= most { // a token has a byte at least
		return []span{{0, len(text)}}
	}
	var out []span
	s := sentences(text, most, count)
	for i := 0; i < len(s); {
		sum, j := 0, i
		for j < len(s) && (j == i || sum+s[j].tokens <= most) {
			sum += s[j].tokens
			j++
		}
		out = append(out, span{s[i].From, s[j-1].To})
		if j == len(s) {
			break
		}
		last := out[len(out)-1]
		for i, sum = j, s[j].tokens; s[i-1].From > last.From && sum+s[i-1].tokens <= min(most, s[j].tokens+overlap); i-- {
			sum += s[i-1].tokens
		}
	}
	return out
}

// A sentence is a span with its tokens.
type sentence struct {
	span
	tokens int
}

// sentences cuts text behind the ends of sentences and lines, and where there are
// none for too long, between words or letters. It is not prose.Split, which reads one
// paragraph and trims it: this cuts code and lists, too, and not a byte may fall between two
// spans. Nor may its cuts move without need, since each vector is kept under the hash of its
// chunk: others would have every repository encode all its texts again.
func sentences(text string, most int, count func(string) int) []sentence {
	var out []sentence
	var add func(from, to int)
	add = func(from, to int) {
		if to-from <= most*longToken {
			if n := count(text[from:to]); n <= most || to-from < 2 {
				out = append(out, sentence{span{from, to}, n})
				return
			}
		}
		at := from + middle(text[from:to])
		if at == from || at == to {
			out = append(out, sentence{span{from, to}, most})
			return
		}
		add(from, at)
		add(at, to)
	}
	from := 0
	for i := 0; i < len(text); {
		n := sentenceEnd(text[i:])
		if n == 0 {
			i++
			continue
		}
		i += n
		add(from, i)
		from = i
	}
	if from < len(text) {
		add(from, len(text))
	}
	return out
}

// sentenceEnd is the length of what ends a sentence or a line here.
func sentenceEnd(s string) int {
	switch s[0] {
	case '\n':
		return 1
	case '.', '!', '?':
		if len(s) > 1 && (s[1] == ' ' || s[1] == '\t') {
			return 2
		}
	case 0xe3, 0xef:
		for _, end := range []string{"。", "！", "？"} {
			if strings.HasPrefix(s, end) {
				return len(end)
			}
		}
	}
	return 0
}

// middle is where a text without sentences is cut: at the space nearest before its
// middle, or between letters.
func middle(s string) int {
	m := len(s) / 2
	if i := strings.LastIndexAny(s[:m], " \t"); i > len(s)/4 {
		return i + 1
	}
	for i := m; i > 0 && i > m-utf8.UTFMax; i-- { // what is no text has no letters
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return m
}

// A ChunkID names a chunk by its text.
type ChunkID [16]byte

// ChunkText is the text of a chunk, from what is stored.
func (s *Segment) ChunkText(doc uint32, c chunkRow) (string, error) {
	m, err := s.Meta(doc)
	if err != nil {
		return "", err
	}
	body, err := s.body(doc)
	if err != nil {
		return "", err
	}
	if c.From > c.To || int(c.To) > len(body) {
		return "", Damaged("chunk")
	}
	return ChunkText(m.Title, body[c.From:c.To]), nil
}

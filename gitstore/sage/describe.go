package sage

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxDescription is the length of the longest description, in characters.
const MaxDescription = 72

// Describe returns one line of at most [MaxDescription] characters that tells
// c from others: its description, else the first sentence of its thesis, else
// its question, else that it is the checkpoint at the given turn.
func Describe(c *Checkpoint, turn int) string {
	for _, s := range []string{c.Description, firstSentence(c.Thesis), c.CoreQuestion} {
		if s = OneLine(s); s != "" {
			return shorten(s, MaxDescription)
		}
	}
	return fmt.Sprintf("checkpoint at turn %d", turn)
}

// EstimateTokens guesses how many tokens a model sees in s: a fourth of its
// characters.
func EstimateTokens(s string) int { return utf8.RuneCountInString(s) / 4 }

// firstSentence ends at a full stop, question or exclamation mark before a
// blank, at a full stop of East Asian scripts, or at the end of a line.
func firstSentence(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd"))
	for i, r := range s {
		rest := s[i+utf8.RuneLen(r):]
		switch {
		case r == '\n':
			return s[:i]
		case strings.ContainsRune("。！？", r), strings.ContainsRune(".!?", r) && endsSentence(s[:i], rest):
			return s[:len(s)-len(rest)]
		}
	}
	return s
}

// endsSentence tells the end of a sentence from an abbreviation such as "e.g."
// or the number of a list item.
func endsSentence(before, rest string) bool {
	if rest != "" && rest[0] != ' ' && rest[0] != '\n' {
		return false
	}
	word := before[strings.LastIndexAny(before, " (\n")+1:]
	return utf8.RuneCountInString(word) > 1 && !strings.Contains(word, ".") || rest == ""
}

// shorten cuts s to n characters, at a blank if there is one in the last third,
// and never before a mark that belongs to the character in front of it.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	end := n - 1
	for end > 0 && (unicode.Is(unicode.M, runes[end]) || hidden(runes[end]) || hidden(runes[end-1])) {
		end--
	}
	for i := end; i > n*2/3; i-- {
		if runes[i] == ' ' {
			end = i
			break
		}
	}
	return strings.TrimRight(string(runes[:end]), " ,;:.") + "…"
}

// Measure sets how long c is, as Markdown without the measures themselves, and
// how that compares with the conversation it came from, to four digits.
func (c *Checkpoint) Measure() {
	c.CheckpointTokens, c.CompressionRatio = 0, 0
	c.CheckpointTokens = EstimateTokens(string(Marshal(c)))
	if c.TokenEstimate > 0 {
		c.CompressionRatio = math.Round(1e4*float64(c.CheckpointTokens)/float64(c.TokenEstimate)) / 1e4
	}
}

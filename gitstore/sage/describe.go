package sage

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/cut"
)

// MaxDescription is the length of the longest description, in characters.
const MaxDescription = 72

// Describe returns one line of at most [MaxDescription] characters that tells
// c from others: its description, else the first sentence of its thesis, else
// its question, else that it is the checkpoint at the given turn.
func Describe(c *Checkpoint, turn int) string {
	for _, s := range []string{c.Description, firstSentence(c.Thesis), c.CoreQuestion} {
		if s = OneLine(s); s != "" {
			return cut.Runes(s, MaxDescription)
		}
	}
	return fmt.Sprintf("checkpoint at turn %d", turn)
}

// EstimateTokens guesses how many tokens a model sees in s: a fourth of its
// characters.
func EstimateTokens(s string) int { return utf8.RuneCountInString(s) / 4 }

// firstSentence is the first sentence of the first line.
func firstSentence(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd")), "\n")
	if list := prose.Split(line, prose.Language(line)); len(list) > 0 {
		return list[0]
	}
	return line
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

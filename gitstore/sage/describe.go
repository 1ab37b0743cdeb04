package sage

import (
	"fmt"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// MaxDescription is the length of the longest description, in characters.
const MaxDescription = 72

// Describe returns one line of at most [MaxDescription] characters that tells
// c from others: its description, else the first sentence of its thesis, else
// its question, else that it is the checkpoint at the given turn.
func Describe(c *Checkpoint, turn int) string {
	for _, s := range []string{c.Description, legible.FirstSentence(c.Thesis), c.CoreQuestion} {
		if s = legible.OneLine(s); s != "" {
			return cut.Runes(s, MaxDescription)
		}
	}
	return fmt.Sprintf("checkpoint at turn %d", turn)
}

package record

import (
	"strconv"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// FormatVersion is the newest that this version understands; see FORMAT.md. What says
// that it is of a newer one is read as far as it can be, and nothing is made of it: it is
// not merged, settled or cleansed. A save that continues it, a tag, a tombstone change
// nothing in it and go on.
var FormatVersion = func() int {
	n, err := strconv.Atoi(formatText)
	if err != nil || n < 1 {
		return 1
	}
	return n
}()

// formatText is there for a test, which builds a newer git-sage with
// -ldflags "-X github.com/git-sage/git-sage/gitstore/internal/record.formatText=3".
var formatText = "2"

// What this version writes: FormatNone for a checkpoint that says of fields to hold
// nothing, which a version that does not know that would merge in another way, and
// formatPlain for all else.
const (
	formatPlain = 1
	FormatNone  = 2
)

// writtenFormat is the format of a checkpoint as it is written.
func writtenFormat(c *sage.Checkpoint) int {
	if len(c.SaidNone) > 0 {
		return max(FormatNone, PlainFormat())
	}
	return PlainFormat()
}

// PlainFormat is the format of all that every version understands; in a test, of what a
// newer one writes.
func PlainFormat() int {
	if FormatVersion > FormatNone {
		return FormatVersion
	}
	return formatPlain
}

// TreeFormatFile says which versions may read and write the knowledge tree. There
// is none as long as all may.
const TreeFormatFile = "format.yaml"

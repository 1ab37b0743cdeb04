package doc

import (
	"strings"

	"github.com/git-sage/git-sage/recall/index"
)

// Kinds of documents.
const (
	Item       = "knowledge"
	Checkpoint = "checkpoint"
)

// ItemKey is the key of an item's document: ids of items and of checkpoints may be alike.
func ItemKey(id string) string { return "k/" + id }

// CheckpointKey is the key of a checkpoint's document.
func CheckpointKey(id string) string { return "c/" + id }

// ID is the id that a key was made of.
func ID(key string) string {
	if strings.HasPrefix(key, "k/") || strings.HasPrefix(key, "c/") {
		return key[2:]
	}
	return key
}

// contradictsMark stands in Meta.ReplacedBy before the key of an item that a document
// contradicts: which of the two no longer holds is told by their times, so that one
// that changes needs no change of the other.
const contradictsMark = "contradicts "

// Contradiction is what Meta.ReplacedBy has of a document that is contradicted.
func Contradiction(key string) string { return contradictsMark + key }

// IsContradiction reports whether an entry of Meta.ReplacedBy was made by contradiction.
func IsContradiction(entry string) bool { return strings.HasPrefix(entry, contradictsMark) }

// Standing takes apart what Meta.ReplacedBy says: what replaced a document, and what it
// contradicts.
func Standing(m *index.Meta) (replacedBy, contradicts []string) {
	for _, key := range m.ReplacedBy {
		if other, ok := strings.CutPrefix(key, contradictsMark); ok {
			contradicts = append(contradicts, other)
		} else if key != m.Key {
			replacedBy = append(replacedBy, key)
		}
	}
	return replacedBy, contradicts
}

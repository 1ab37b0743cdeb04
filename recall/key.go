package recall

import (
	"strings"

	"github.com/git-sage/git-sage/recall/index"
)

// Kinds of documents.
const (
	kindItem       = "knowledge"
	kindCheckpoint = "checkpoint"
)

// itemKey is the key of an item's document: ids of items and of checkpoints may be alike.
func itemKey(id string) string { return "k/" + id }

// checkpointKey is the key of a checkpoint's document.
func checkpointKey(id string) string { return "c/" + id }

// keyID is the id that a key was made of.
func keyID(key string) string {
	if strings.HasPrefix(key, "k/") || strings.HasPrefix(key, "c/") {
		return key[2:]
	}
	return key
}

// contradictsMark stands in Meta.ReplacedBy before the key of an item that a document
// contradicts: which of the two no longer holds is told by their times, so that one
// that changes needs no change of the other.
const contradictsMark = "contradicts "

// contradiction is what Meta.ReplacedBy has of a document that is contradicted.
func contradiction(key string) string { return contradictsMark + key }

// isContradiction reports whether an entry of Meta.ReplacedBy was made by contradiction.
func isContradiction(entry string) bool { return strings.HasPrefix(entry, contradictsMark) }

// standingOf takes apart what Meta.ReplacedBy says: what replaced a document, and what it
// contradicts.
func standingOf(m *index.Meta) (replacedBy, contradicts []string) {
	for _, key := range m.ReplacedBy {
		if other, ok := strings.CutPrefix(key, contradictsMark); ok {
			contradicts = append(contradicts, other)
		} else if key != m.Key {
			replacedBy = append(replacedBy, key)
		}
	}
	return replacedBy, contradicts
}

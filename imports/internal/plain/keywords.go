package plain

import (
	"slices"

	"github.com/git-sage/git-sage/gitstore/redact"
	"github.com/git-sage/git-sage/recall/propose"
)

// Keywords are the keywords of a text, without secrets: a mark in their stead brings nothing back.
func Keywords(text string) []string {
	return slices.DeleteFunc(propose.KeywordsOf(text), func(s string) bool {
		_, found, err := redact.Default().Text(s)
		return err != nil || len(found) > 0
	})
}

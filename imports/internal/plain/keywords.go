package plain

import "github.com/git-sage/git-sage/recall/propose"

// Keywords are the keywords of a text. Its secrets are taken out first: a word alone does not
// tell that it is one, and a mark in its stead brings nothing back.
func Keywords(text string) []string { return propose.KeywordsOf(propose.WithoutSecrets(text)) }

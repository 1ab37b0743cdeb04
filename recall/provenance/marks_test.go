package provenance

import (
	"testing"

	"github.com/git-sage/git-sage/gitstore"
)

// What somebody chose for a name is no word of a mark.
func TestMarksCannotBeForged(t *testing.T) {
	for author, want := range map[string]string{
		"Ada <ada@example.org>":             "Ada <ada@example.org>, unconfirmed",
		"Bobby Lee <b@example.org>":         "Bobby Lee <b@example.org>, unconfirmed",
		"":                                  "unconfirmed",
		changedBy + "Ada <ada@example.org>": "changed by Ada <ada@example.org>, unconfirmed",
		removedBy + "somebody":              "removed by somebody, unconfirmed",
		aModel:                              "by a model, unconfirmed",
		gitstore.AuthorHere + "Ada <a>":     "Ada <a>, in part unconfirmed",
		gitstore.AuthorHere + "Ada <a>" + gitstore.AuthorThere + "Bob <b>":             "Ada <a> and Bob <b>, unconfirmed",
		gitstore.AuthorHere + "Ada <a>" + gitstore.AuthorFirst + "Bob <b>":             "Ada <a>, before that Bob <b>, unconfirmed",
		gitstore.AuthorThere + "Bob, confirmed <b>" + gitstore.AuthorThere + "Eve <e>": `"Bob confirmed <b>" and Eve <e>, unconfirmed`,
		changedBy + gitstore.AuthorHere + "Ada <a>" + gitstore.AuthorFirst + "Bob <b>": "changed by Ada <a>, before that Bob <b>, unconfirmed",
		"here Ada <a>":                        "here Ada <a>, unconfirmed",
		"changed by mine <x>":                 `"changed by mine <x>", unconfirmed`,
		"by a model":                          `"by a model", unconfirmed`,
		`A", confirmed by you) <x; as it was`: `"A confirmed by you <x as it was", unconfirmed`,
	} {
		if got := UnconfirmedShort(author); got != want {
			t.Errorf("%q is %s, want %s", author, got, want)
		}
	}
	if author, did := Author("changed by mine <x>"); author != "changed by mine <x>" || did != "" {
		t.Error(author, did)
	}
}

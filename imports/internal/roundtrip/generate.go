package roundtrip

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/git-sage/git-sage/gitstore/sage"
)

// texts are what items say: what some form has a sign of its own for, above all.
var texts = []string{
	"Fire at night, power is cheap.",
	"Fire at night.\n\n- cheap\n  - and cool\n\n```sh\n# run\n```",
	"## Decision\n\nWe write them down.\n\n## Consequences\n\n- none",
	"Above the rule.\n\n---\n\nBelow the rule.",
	"key: value\nother: 'quoted' \"twice\"",
	"White clay.\n\n## Notes\n\nBy May.\n\n## Comments\n\n2025-10-18T09:00:00Z ada: Done",
	"The Töpferei in 東京 🏺 opens at 8.",
	"1. first\n2. second",
	"> Never fire unattended.\n\nSays the manual.",
	"| cone | degrees |\n|---|---|\n| 6 | 1222 |",
	"Ends with a list:\n\n- one\n- two\n\n  more of two",
	"- one\n- two\n  and more",
	"See [the log](docs/log.md) and `lib/kiln.go`.",
	"Status: open\nTags: none",
	"Supersedes what ADR-7 says.",
	"- related [[nowhere]]",
	"# A title\n\nBelow it.",
	"<b>Bold</b> & {braces} \\ backslash | pipe",
	"Keep the 40 °C step — it matters…",
}

var titles = []string{"Use MADR", "Fire: at night", "Töpferei \"Süd\"", "7 kilns, 2 lids", "A [link] of sorts", "#1 rule", "- not a list"}

var names = []string{"kiln", "clay-order", "adr-0001-use-madr", "adr-0002-fire-at-night", "adr-lid", "lid", "ada", "glaze_c", "v1.2-notes", "cone6"}

// generate makes items with all that a person can give one, the same for the same seed.
func generate(seed uint64) (list []*sage.Item) {
	r := rand.New(rand.NewPCG(seed, 1))
	one := func(of []string) string { return of[r.IntN(len(of))] }
	some := func(of []string) (out []string) {
		for range r.IntN(3) {
			out = append(out, one(of))
		}
		return out
	}
	said := r.Perm(len(texts))
	for i, id := range names {
		at := time.Date(2024, 1+time.Month(r.IntN(12)), 1+r.IntN(28), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)
		it := &sage.Item{
			ID: id, Type: sage.ItemType(one(sage.ItemWords("type"))), Content: texts[said[i]],
			Keywords: append(some([]string{"kiln log", "clay", "größe", "a: b", "- dash"}), "c#"), When: some([]string{"when do we fire?", "why: clay"}),
			Patterns: some([]string{`kiln-\d+`, `(?i)lid`}), Source: one([]string{"", "a talk", "docs/log.md: 3"}), Added: at, Updated: at,
		}
		it.Scope.Paths, it.Scope.Always = some([]string{"lib", "docs/kiln"}), r.IntN(4) == 0
		if i == 1 { // no form is left without an item
			it.Type = sage.Todo
		}
		if r.IntN(2) == 0 {
			it.Description = fmt.Sprintf("%s %d", one(titles), i)
		}
		switch it.Type {
		case sage.Todo:
			it.Status = sage.Status(one([]string{"pending", "done"}))
		case sage.Failure:
			it.Approach, it.WhyFailed, it.Learned = "Fired with the lid open", "it cracked", one([]string{"", "close it"})
		default:
			it.Status = sage.Status(one([]string{"active", "active", "archived", "deprecated"}))
		}
		if it.Status == sage.Deprecated {
			it.Reason = one([]string{"rejected", "obsolete"})
		}
		for range r.IntN(3) { // to later ones: none may supersede what supersedes it
			if i+1 < len(names) {
				it.Links = append(it.Links, sage.Link{Kind: sage.LinkKind(one(sage.ItemWords("links"))), To: one(names[i+1:])})
			}
		}
		if r.IntN(4) == 0 {
			it.Aliases = []string{"Old name " + id}
		}
		if r.IntN(3) == 0 {
			it.Extra = []sage.Entry{{Key: "owner", Value: "Ada: potter"}}
		}
		list = append(list, it)
	}
	return list
}

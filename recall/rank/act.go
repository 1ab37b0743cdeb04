package rank

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose/terms"
	"github.com/git-sage/git-sage/recall/doc"
	"github.com/git-sage/git-sage/recall/index"
)

// An Act is what an agent does, as a question: what it looks for, the file that it changes,
// a command, a line of an error. Nobody asked, and there are hundreds a day: titles answer
// it, by words alone. A model would take longer than all else that a hook does.
type Act struct {
	Text  string
	Whole bool     // it looks for the text and nothing beside it
	Paths []string // that it names, from the root of the work tree
}

// Two texts that have nothing in common share words by chance, and so do an act and one of
// many items. What they share has to tell as much as evidence.go asks of a prompt that is
// given an item, nearly, and it has to be two words: shell, paths and errors are made of few.
// Of 195 actions of other projects 3 bring a title so; of 84 on which a fact bears 69 bring the
// right one, and 73 where items have requests that want them (testdata/facts/actions.jsonl).
const (
	actEvidence = 0.85 * leastEvidence
	actShare    = 0.85 * shareEvidence
	actAmong    = 60  // texts; of more the best is better by chance, by the logarithm of their number
	actBeside   = 0.8 // of what tells for the best, for another one beside it
	MostActs    = 2   // titles for one action
)

// usualInCode are the stems that most folders have in the names of their files or in
// messages of errors, the most frequent first: of Go's library and 30 modules, of npm, and
// of Python's library, those that three of the four have.
//
//go:embed usual.txt
var usualInCode string

var codeRank = sync.OnceValue(func() map[string]int { return ranksOf(usualInCode) })

// toldByAct is what a word of an act tells, in nats: of words that are usual in English or
// in code, and of numbers that count lines, little or nothing.
func toldByAct(found *index.Result, t index.Term) float64 {
	if len(t.Text) < 3 && strings.Trim(t.Text, "0123456789") == "" {
		return 0
	}
	share := usual(t.Text)
	if rank, ok := codeRank()[t.Text]; ok {
		share = max(share, zipf(rank))
	}
	return nats(t.Units, max(found.Units, actAmong), share)
}

// Query asks for what may answer an act.
func (a Act) Query() index.Query {
	return index.Query{Text: a.Text, Kinds: []string{doc.Item}, Limit: 20, BM25: &Keywords}
}

// Choose returns those of what was found whose titles answer an act, the best first.
func (a Act) Choose(found *index.Result) (out []Scored) {
	var told []float64
	all := 0.0
	for _, t := range found.Terms {
		told = append(told, toldByAct(found, t))
		if t.Units > 0 || !isCompound(t.Text) { // of an unknown name the parts count
			all += told[len(told)-1]
		}
	}
	chance := math.Log(max(1, float64(found.Units)/actAmong))
	for i := range found.Hits {
		h := &found.Hits[i]
		s := Scored{Hit: h, among: found.Units}
		shared, telling, idf := 0.0, 0, 0.0
		for _, j := range h.Matched {
			shared += told[j]
			idf += float64(found.Terms[j].Count) * found.Terms[j].IDF
			switch whole := isCompound(found.Terms[j].Text); {
			case told[j] >= leastTelling && whole:
				telling += 2
			case told[j] >= leastTelling:
				telling++
			}
		}
		if idf <= 0 {
			continue
		}
		shared *= min(1, h.Keyword/idf) // as in evidence
		s.Score = (shared - chance) / (actEvidence + actShare*all)
		if s.Score >= 1 && (telling > 1 || a.isNamedIn(h.Meta.Title)) || a.isKeyword(found, h) {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(x, y Scored) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), strings.Compare(x.Meta.Key, y.Meta.Key))
	})
	return slices.DeleteFunc(out, func(s Scored) bool { return s.Score < actBeside*out[0].Score })
}

// isNamedIn reports whether a title has what an act looks for, a name of several words: those
// of node-canvas, side by side, are one name as much as node_canvas is.
func (a Act) isNamedIn(title string) bool {
	name := terms.Phrase(a.Text)
	return a.Whole && strings.Contains(name, " ") && strings.Contains(" "+terms.Phrase(title)+" ", " "+name+" ")
}

// isCompound reports whether a term is an identifier or a path of several words, each of which
// is a term, too.
func isCompound(term string) bool { return strings.ContainsAny(term, "/._-") }

// isKeyword reports whether an act looks for a keyword that one item alone has, and for
// nothing else but usual words: node-canvas is canvas. Usual words alone, and those of several
// texts, are no name of anything.
func (a Act) isKeyword(found *index.Result, h *index.Hit) bool {
	if !a.Whole || !slices.ContainsFunc(h.Exact, func(i int) bool { return found.Keywords[i].Docs == 1 }) {
		return false
	}
	named := false
	for i, t := range found.Terms {
		if commonRank()[t.Text] > 0 || codeRank()[t.Text] > 0 {
			continue
		}
		if t.Units > 1 || !slices.Contains(h.Matched, i) {
			return false
		}
		named = true
	}
	return named
}

// BestOnActs is all that answers the acts of one action, each once, the best first.
func BestOnActs(lists [][]Scored) (out []Scored) {
	told := map[string]bool{}
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(x, y Scored) int { return cmp.Compare(y.Score, x.Score) })
	for _, s := range all {
		if !told[s.Meta.Key] {
			out = append(out, s)
		}
		told[s.Meta.Key] = true
	}
	return out
}

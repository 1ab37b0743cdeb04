package salience

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/recall"
)

// A Point is a sentence with what it weighs.
type Point struct {
	Text   string
	Kind   string  // conclusion, constraint, preference or failure, as recall judges it; correction; number; "" for none
	Score  float64 // 0..1
	Person bool    // said it, else the agent

	Decides bool // it says outright what was decided or concluded
}

// Threshold is the score above which a sentence is worth keeping: one strong sign, or
// three weak ones, see weights.
const Threshold = 0.5

// The weights of the signs that a sentence is worth keeping. They add up as chances do:
// 1 less the product of what each leaves. What a rule of recall's names is enough by
// itself; a number needs more beside it, since most are line counts and versions.
const (
	ofRule       = 0.55
	ofCorrection = 0.65
	ofNumber     = 0.30 // with a unit, or a share
	ofFile       = 0.20 // a file that the session changed is named
	ofPlace      = 0.25 // the first sentence of the last answer, or the last of it
	ofPerson     = 0.10 // somebody took the trouble to type it
)

// Points are the sentences of texts, in their order, each with its score. changed are
// the files that the session changed.
func Points(texts []transcript.Text, changed []string) (out []Point) {
	for i, t := range texts {
		last := !t.Person && (i == len(texts)-1 || texts[i+1].Person)
		list := recall.Sentences(t.Text)
		for j, s := range list {
			w := weigher{Sentence: s, person: t.Person, answered: i > 0}
			w.place = last && (j == 0 || j == len(list)-1)
			w.file = names(s.Text, changed)
			out = append(out, w.point())
		}
	}
	return out
}

// A weigher is a sentence with what its place tells.
type weigher struct {
	recall.Sentence
	person, answered, place, file bool
}

func (w weigher) point() Point {
	p := Point{Text: w.Text, Kind: w.Why, Person: w.person, Decides: w.Decides}
	rest := 1.0
	sign := func(is bool, weight float64) bool {
		if is {
			rest *= 1 - weight
		}
		return is
	}
	sign(p.Kind != "", ofRule)
	if sign(w.person && w.answered && corrects(w.Text), ofCorrection) {
		p.Kind = "correction"
	}
	if !w.person && w.Says { // of what a person asks for, a number or a file is no finding
		if sign(measure().MatchString(w.Text), ofNumber) && p.Kind == "" {
			p.Kind = "number"
		}
		sign(w.file, ofFile)
		sign(w.place, ofPlace)
	}
	sign(w.person && p.Kind != "", ofPerson)
	p.Score = 1 - rest
	return p
}

// names reports whether a sentence names one of the files, by its last part at least.
func names(s string, files []string) bool {
	for _, f := range files {
		if base := f[strings.LastIndexByte(f, '/')+1:]; len(base) > 2 && strings.Contains(s, base) {
			return true
		}
	}
	return false
}

// measure is a number with its unit, a share, a factor or an amount.
var measure = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[\s(~=<>≈])[$€£]?\d[\d.,]*\s?(?:%|per ?cent|x\b|×|ns\b|[µu]s\b|ms\b|s\b|sec(?:ond)?s?\b|min(?:ute)?s?\b|h\b|hours?\b|days?\b|[kmgt]i?b\b|bytes\b|(?:req|rows|ops|qps|rps|tokens|users|requests|queries)\b|k\b|times\b)|[$€£]\d`)
})

// corrects reports whether a person says that something is otherwise than the agent
// took it: "No, ...", "not X but Y", "Actually, ...".
func corrects(s string) bool {
	return correction().MatchString(s) && !courtesy().MatchString(s)
}

var (
	correction = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:no|nope|wrong|incorrect|stop|wait|hold on)\b[,.!:;— -]|^(?:that|this|it)(?:'s| is|’s) (?:not\b|wrong|incorrect)|^not (?:quite|what|that|like|the)\b|^actually\b|` +
			`\bnot\b[^.?!]{2,60}\bbut (?:rather )?\w|\bi (?:said|meant|told you|asked (?:you )?(?:for|to))\b|\b(?:undo|revert|roll back) (?:that|this|it|the)\b|` +
			`\byou (?:misunderstood|misread|forgot|missed|broke|ignored|were supposed)\b|\b(?:use|do|make|keep|call|put)\b[^.?!]{2,80}\b(?:instead of|rather than|, not)\b|\binstead\.?$`)
	})
	courtesy = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:no|nope),? (?:problem|worries|rush|need|thanks|that'?s (?:all|fine|it|good|great)|all good|it'?s (?:fine|ok|good)|go ahead|idea\b|hurry)|^(?:wait|stop|actually),? (?:for\b|that'?s (?:great|good|fine|perfect|right)|nice|great|good|perfect|thanks)|\bnot only\b|^wait (?:until|till)\b`)
	})
)

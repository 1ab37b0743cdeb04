package salience

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/prose"
)

// A finding is a sentence that is worth keeping, as it was said.
type finding struct {
	text    string
	kind    prose.Role // "" is nothing in particular
	score   float64    // 0..1
	person  bool       // they said it, else the agent
	stretch int        // in which
	terms   terms

	faint   bool // no sign of its own tells for it, but where it stands
	agreed  bool // it was proposed, and the person said yes
	settles bool // it says outright what was decided or found out
	denies  bool // it takes something back
	changes bool // it says how something is now
}

// Threshold is the score from which a sentence is worth keeping.
const Threshold = 0.5

// What tells that a sentence is worth keeping. The weights add up as chances do: 1 less the
// product of what each leaves. Structure is enough by itself where somebody labelled what
// they say; an item of the list that closes an answer needs one sign more.
const (
	byLabel   = 0.75 // "**Decision:** ..."
	byHeading = 0.60 // the same as a heading above, for the items or the first sentence below it
	byWords   = 0.55
	byAgreed  = 0.80 // somebody proposed it, and the answer was yes
	byItem    = 0.42 // of the list that closes an answer
	byListed  = 0.30 // of another list of an answer
	byOpening = 0.20 // the first sentence of an answer, or of its last paragraph
	byFigure  = 0.12 // the same, with a number and its unit
	byTerse   = 0.38 // it claims something, in an answer that says little else
	byAsked   = 0.30 // the same, where the person asked and nothing was changed since
	byTrouble = 0.30 // the same, where something failed since the person spoke
	byChange  = 0.42 // something is otherwise now
	byCode    = 0.15
	byNumber  = 0.30 // with a unit, or a share
	byFile    = 0.20 // a file that was changed
	byFound   = 0.45 // it follows a "found it"
	byAnswer  = 0.35 // what the agent says first when it was put right
	byReason  = 0.52 // the first paragraph of an answer that goes on to propose something
	byDone    = 0.20 // the answer begins with it, and a file was changed before
	byResult  = 0.35 // the answer begins with it, and what failed before works now
	byReport  = 0.45 // behind a word that it is done: "Fixed: ..."
	byStated  = 0.40 // what a person says beside what they ask for first
	byReply   = 0.52 // what a person says who answers a question, or puts right what the agent took wrong
)

// A scale adds up what tells for a sentence.
type scale struct{ left float64 }

func newScale() *scale { return &scale{1} }

func (s *scale) add(is bool, weight float64) {
	if is {
		s.left *= 1 - weight
	}
}

func (s *scale) score() float64 { return 1 - s.left }

// least is how long a sentence is that says something by itself, see length.
const least = 16

// A reading goes through a conversation and picks what is worth keeping.
type reading struct {
	list    []stretch
	since   int64    // an offset: what was said before it is saved, and only tells what is behind it
	changed []string // files
	edits   []int64  // where each of them was changed last
	broken  []transcript.Failure
	kept    int64 // where the agent kept a task or a fact last
	found   []finding
	dropped map[string]bool // what the person turned down, by its text
}

func (r *reading) read() []finding {
	r.dropped = map[string]bool{}
	for i := range r.list {
		r.person(i)
		r.agent(i)
	}
	return r.settle()
}

// agent picks from what the agent said in a stretch.
func (r *reading) agent(i int) {
	s := &r.list[i]
	for n := range s.said {
		m := &s.said[n]
		if m.Offset < r.since {
			continue
		}
		for j := range m.sentences {
			if f, ok := r.weigh(i, m, j, n == len(s.said)-1); ok {
				r.found = append(r.found, f)
			}
		}
	}
}

// weigh is how much tells that a sentence of the agent is worth keeping.
func (r *reading) weigh(i int, m *message, j int, answer bool) (f finding, ok bool) {
	s := m.sentences[j]
	if s.Part == prose.Heading || s.Asks || length(s.Said) < least || leadsOver(s.Said) {
		return f, false
	}
	role, labelled := s.Role(), prose.RoleOf(s.Label) != ""
	tells := s.words.Has(prose.Breaks) && s.explains()
	grants := s.concedes(m.language) && measures(s.Said)
	if s.words.Has(prose.Breaks) && !s.words.Has(prose.RulesOut|prose.Concludes) && !tells && r.mended(m.Offset) || !grants && r.echoes(i, s) || s.isBare() {
		return f, false
	}
	switch role {
	case prose.Open, prose.Next, prose.Proposal:
		return f, false
	}
	if s.Part == prose.Item && j >= m.options.from && j < m.options.to && role == "" && !r.edited(i, m) { // one way of several, and nobody picked it
		return f, false
	}
	if role == "" && m.inWay(j) { // of several, and it is kept where somebody picks it
		return f, false
	}
	if small, jests := r.list[i].isSmall(); small && !labelled && (s.kind == "" || jests && s.kind != prose.Decision) {
		return f, false
	}
	if s.idle && !labelled && !grants || s.kind == prose.Proposal || s.kind == prose.Open {
		return f, false
	}
	w := newScale()
	switch {
	case labelled:
		w.add(true, byLabel)
	case role != "":
		w.add(true, byHeading)
	}
	w.add(s.kind != "", byWords)
	result := j == 0 && r.brings(i, m)
	w.add(result, byResult)
	w.add(result && s.reportsBefore(m.language), byReport)
	w.add(s.kind == "" && s.words.Has(prose.Changes), byChange)
	w.add(tells, byReport)
	w.add(grants, byReport)
	w.add(measures(s.Said), byNumber)
	w.add(strings.Contains(s.Said, "`"), byCode)
	w.add(names(s.Said, r.changed), byFile)
	w.add(j > 0 && m.sentences[j-1].words.Has(prose.Finds) || s.words.Has(prose.Finds), byFound)
	if answer {
		w.add(s.Part == prose.Item && j >= m.closing, byItem)
		w.add(s.Part == prose.Item && j < m.closing, byListed)
		w.add(s.Block == 0 && s.Part == prose.Plain && m.proposes && !r.edited(i, m), byReason)
		w.add(j == 0 || s.Closing && s.First && s.Part == prose.Plain, byOpening)
		w.add(j == 0 && measures(s.Said) && s.claims(), byFigure)
		w.add(j == 0 && !s.words.Has(prose.Reports) && r.edited(i, m), byDone)
	}
	w.add(j <= 1 && (answer || m == &r.list[i].said[0]) && r.corrects(i), byAnswer)
	kind := role
	if kind == "" {
		kind = s.kind
	}
	troubled := r.troubled(i, m)
	told := s.claims() && (answer && measures(s.Said) && r.answers(i, m) || troubled && j == 0 && !s.words.Has(prose.Breaks)) // a figure to who asks, or why something failed
	faint := w.score() < Threshold && !told
	if s.claims() && (answer || troubled && len(s.topic) >= leastTold) {
		w.add(m.claims <= mostTerse, byTerse)
		w.add(answer && r.answers(i, m), byAsked)
		w.add(troubled, byTrouble)
	}
	f = finding{text: m.standing(j), kind: kind, score: w.score(), faint: faint, stretch: i, terms: s.terms, denies: s.words.Has(prose.Denies), changes: s.words.Has(prose.Changes) && r.acts(i, m)}
	f.settles = kind == prose.Decision || kind == prose.Conclusion || result && length(s.Said) >= leastClaim
	return f, true
}

// mended reports whether something had failed at a place, and all that had works by now.
func (r *reading) mended(at int64) (is bool) {
	for _, f := range r.broken {
		if f.Offset > at || f.Fixed > 0 && f.Fixed < at {
			continue
		}
		if f.Fixed == 0 {
			return false
		}
		is = true
	}
	return is
}

// brings reports whether something that had failed before a message works since the person
// spoke: what it begins with is what that came to.
func (r *reading) brings(i int, m *message) bool {
	asked := r.list[i].asked
	return len(asked) > 0 && slices.ContainsFunc(r.broken, func(f transcript.Failure) bool { return f.Fixed > asked[0].Offset && f.Fixed < m.Offset })
}

// echoes reports whether the agent takes note of what the person said in their words: that is
// theirs, and nothing that was found.
func (r *reading) echoes(i int, s sentence) bool {
	if !s.words.Has(prose.Notes | prose.Assents) {
		return false
	}
	about, n := s.terms.topical(), 0
	if s.kind == prose.Decision && strings.ContainsAny(s.Said, "`「“«\"") { // and names it
		return false
	}
	for _, m := range r.list[i].asked {
		for _, x := range m.sentences {
			n = max(n, about.common(x.terms))
		}
	}
	return 3*n >= len(about)
}

// edited reports whether a file was changed in a stretch before a message.
func (r *reading) edited(i int, m *message) bool {
	asked := r.list[i].asked
	return len(asked) > 0 && slices.ContainsFunc(r.edits, func(at int64) bool { return at > asked[0].Offset && at < m.Offset })
}

// acts reports whether a message tells of what was done: a file was changed, or nothing was asked.
func (r *reading) acts(i int, m *message) bool {
	_, asks := r.list[i].lastAsked()
	return !asks && len(r.list[i].asked) > 0 || r.edited(i, m)
}

// mostTerse is how many sentences of an answer claim something that says little else.
const mostTerse = 3

// leastClaim is how long a sentence is that claims something by itself, see length.
const leastClaim = 30

// leastTold is how many terms a sentence has that tells at work why something failed.
const leastTold = 4

// claims reports whether a sentence of the agent says how something is, and not what was done
// or is to be done.
func (s sentence) claims() bool {
	return !s.Asks && !s.idle && s.Part != prose.Heading && length(s.Said) >= leastClaim && len(s.topic) >= leastAbout && !leadsOver(s.Said) &&
		!s.words.Has(prose.Reports|prose.Plans|prose.Offers|prose.Notes|prose.Guesses)
}

// answers reports whether a message answers what the person asked, with nothing changed for it.
func (r *reading) answers(i int, m *message) bool {
	_, asks := r.list[i].lastAsked()
	return (asks || i == 0) && !r.edited(i, m)
}

// troubled reports whether something failed between what the person said and a message.
func (r *reading) troubled(i int, m *message) bool {
	asked := r.list[i].asked
	return len(asked) > 0 && slices.ContainsFunc(r.broken, func(f transcript.Failure) bool { return f.Offset > asked[0].Offset && f.Offset < m.Offset })
}

// standing is a sentence as it was said, with the one before it where it cannot be
// understood without.
func (m *message) standing(j int) string {
	s := m.sentences[j]
	if !s.words.Has(prose.Backward) || j == 0 || s.First || s.Label != "" {
		return said(s)
	}
	before := m.sentences[j-1]
	if before.Asks || before.isBare() || length(before.Said) < least || length(before.Said)+length(s.Said) > maxSentence {
		return said(s)
	}
	return said(before) + m.blank() + said(s)
}

// blank is what stands between two sentences of a message.
func (m *message) blank() string {
	if m.language == prose.Chinese || m.language == prose.Japanese {
		return ""
	}
	return " "
}

// said is a sentence without the label that tells what it is.
func said(s sentence) string {
	if prose.RoleOf(s.Label) == "" {
		return s.Text
	}
	return s.Said
}

// leadsOver reports whether a sentence only announces what follows it.
func leadsOver(s string) bool {
	s = strings.TrimRight(s, "*_ ")
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
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

// measures reports whether a sentence names a number with its unit, a share, a factor or an
// amount.
func measures(s string) bool { return hasDigit(s) && measure().MatchString(s) }

// measure is a number with its unit, a share, a factor or an amount.
var measure = sync.OnceValue(func() *regexp.Regexp {
	const (
		before = `(?:^|[\s(~=<>≈、，：\p{Han}\p{Hiragana}\p{Katakana}])`
		shares = `%|per ?cent|prozent|por ?ciento|por ?cento|процент\pL*|x\b|×`
		times  = `ns\b|[µu]s\b|ms\b|s\b|h\b|sec(?:ond)?s?\b|sekunden?\b|secondes?\b|segundos?\b|min(?:ut[eo])?[sn]?\b|hours?\b|stunden?\b|heures?\b|horas?\b|` +
			`days?\b|tagen?\b|jours?\b|d[ií]as?\b|weeks?\b|wochen?\b|semaines?\b|semanas?\b|months?\b|monaten?\b|mois\b|mes(?:es)?\b|years?\b|jahren?\b|ans\b|años?\b|anos?\b|` +
			`м?с(?:ек\pL*)?(?:\PL|$)|мин(?:ут\pL*)?(?:\PL|$)|час\pL*|д(?:ень|ня|ней)|недел\pL*|месяц\pL*|лет|毫秒|秒|分|小时|时|時|天|日|周|週|月|年`
		counts = `[kmgt]i?b\b|bytes\b|bits?\b|[кмгт]б|k\b|(?:req|rows|ops|qps|rps|tokens|users|requests|queries)\b|тыс|млн|раз|times\b|veces\b|vezes\b|fois\b|倍|次|回|件|个|個|台|条|名|店|万|円|元`
	)
	return regexp.MustCompile(`(?i)\d[\d.,]* (?:out )?(?:of|von|sur|из|de) (?:the |den |les |las |los |as |os )?\d|` + before + `[$€£]?\d[\d.,]*\s?(?:` + shares + `|` + times + `|` + counts + `)|[$€£]\d`)
})

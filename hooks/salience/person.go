package salience

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose"
)

// person picks from what the person said in a stretch, and takes up what they made of the
// answer before: who agrees makes a decision of the proposal, who objects takes it back.
func (r *reading) person(i int) {
	var before *message
	if i > 0 {
		before = r.list[i-1].answer()
	}
	for n := range r.list[i].asked {
		m := &r.list[i].asked[n]
		if m.Offset < r.since {
			continue
		}
		switch {
		case before == nil:
		case r.corrects(i):
			r.takeBack(m, before)
			if m.takes(before) {
				r.agree(i-1, m, before)
			}
			if at := option(m, before); at >= 0 { // "no, the second one"
				r.decide(i-1, before, at)
			}
		case agrees(m) || r.goesAhead(i, m, before):
			r.agree(i-1, m, before)
		}
		turns := slices.IndexFunc(m.sentences, func(s sentence) bool { return s.words.Has(prose.Reverses) && !s.idle })
		if before != nil && turns >= 0 && !m.turnsBack(turns) {
			r.reverse(i, m)
		}
		for j := range m.sentences {
			if f, ok := r.weighPerson(i, m, j, before); ok && !m.turnsBack(j+1) {
				r.find(f)
			}
		}
	}
}

// turnsBack reports whether a sentence takes back the one before it, in the same breath: "Drop it.
// Actually no, keep it."
func (m *message) turnsBack(j int) bool {
	if j <= 0 || j >= len(m.sentences) {
		return false
	}
	s, said := m.sentences[j], m.sentences[j-1]
	return said.Block == s.Block && !said.Asks && (s.words.Has(prose.Reverses) && s.corrects() || sameBreath().MatchString(s.Text)) &&
		(s.words.Has(prose.Points|prose.Backward) || s.topic.common(said.topic) > 0)
}

// sameBreath is how a sentence begins that takes back what was just said.
var sameBreath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:(?:(?:hm+|oh|ach|ah)[, ]+)?(?:actually|wait|no|scratch that|halt|moment|nein|doch|en fait|attends|non|en realidad|espera|mejor|na verdade|aliás|хотя|стоп|нет),? (?:no|wait|actually|nein|doch|non|não|нет|лучше)(?:$|[^\pL]))|^(?:不对|算了|等等)[，,、 ]`)
})

// reverse takes what was decided of the same thing out of what was found: by the person or with
// them, and what the agent says it changed for that.
func (r *reading) reverse(i int, m *message) {
	about := termsOf(m.Text.Text).topical()
	for _, x := range r.list[i].said {
		if len(x.sentences) > 0 {
			for t := range x.sentences[0].topic {
				about[t] = true
			}
		}
	}
	last := -1
	for _, f := range r.found {
		if f.stretch < i && f.isDecided() && f.score >= Threshold {
			last = max(last, f.stretch)
		}
	}
	gone := map[int]bool{}
	r.found = slices.DeleteFunc(r.found, func(f finding) bool {
		n := f.terms.topical().common(about)
		is := f.stretch < i && f.isDecided() && (n > 1 || n > 0 && f.stretch == last && (f.kind != prose.Constraint || r.worked(last)) || f.changes && !f.person && gone[f.stretch])
		gone[f.stretch] = gone[f.stretch] || is
		return is
	})
}

// isDecided reports whether a finding says what was decided, or done for that.
func (f finding) isDecided() bool {
	return f.kind == prose.Decision || f.kind == prose.Preference || f.agreed || f.changes || f.person && f.kind != prose.Failure
}

// find takes up what the person said; a sentence that stands with the one before it takes its place.
func (r *reading) find(f finding) {
	if n := len(r.found) - 1; n >= 0 && f.score >= Threshold {
		if old := r.found[n]; old.person && old.stretch == f.stretch && strings.HasPrefix(f.text, old.text) {
			f.score, f.faint = max(f.score, old.score), f.faint && (old.faint || old.score < Threshold)
			r.found = r.found[:n]
		}
	}
	r.found = append(r.found, f)
}

// weighPerson is how much tells that a sentence of the person is worth keeping.
func (r *reading) weighPerson(i int, m *message, j int, before *message) (f finding, ok bool) {
	s := m.sentences[j]
	t := s.terms
	if s.Asks && !s.restricts(m.language) || leadsOver(s.Said) || s.words.Has(prose.Defers) && s.kind != prose.Decision || before == nil && s.Block == 0 && s.First {
		return f, false
	}
	picks := before != nil && !s.idle && m.picks(j, before)
	stated := m.states(j)
	if !picks && (length(s.Said) < least || len(s.topic) < leastAbout && !(stated && before != nil && len(s.topic) == leastAbout-1 && !s.corrects())) {
		return f, false
	}
	if !picks && s.assents() && before != nil && len(t)-t.common(termsOf(before.Text.Text)) < leastAbout {
		return f, false // a yes that adds nothing
	}
	if s.idle {
		return f, false
	}
	w := newScale()
	w.add(prose.RoleOf(s.Label) != "", byLabel)
	w.add(s.kind != "" && s.kind != prose.Conclusion, byWords)
	w.add(picks || before != nil && (s.corrects() || replies(m, j, before)), byReply)
	if measured := measures(s.Said); before != nil && measured {
		w.add(true, byReply)
	} else {
		w.add(w.left < 1 && measured, byNumber)
	}
	faint := w.score() < Threshold
	w.add(stated && before == nil && w.left == 1 && measures(s.Said), byNumber)
	w.add(stated && before != nil && (!s.words.Has(prose.Tasks) || s.hasReason()), byReply)
	w.add(stated && before == nil, byStated)
	text := m.standing(j)
	if picks && text == said(s) {
		text = m.withRefusal(j)
	}
	return finding{text: text, kind: s.kind, score: w.score(), faint: faint, person: true, stretch: i, terms: t, denies: s.words.Has(prose.Denies)}, true
}

// restricts reports whether a sentence that ends as a question says before its last part what
// that has to bend to: "prices can't change before the 2nd, can you plan for that?"
func (s sentence) restricts(l prose.Lang) bool {
	i := strings.LastIndexAny(s.Said, ",;，；—")
	return i > leastClaim && prose.SignsOf(s.Said[:i], l).Has(prose.TellsConstraint|prose.Limits) && !prose.SignsOf(s.Said[:i], l).Has(prose.Wonders|prose.Requests|prose.Consults)
}

// states reports whether a sentence of the person says how something is or is to be, and is no
// task that comes to mind.
func (m *message) states(j int) bool {
	s := m.sentences[j]
	return !s.Asks && !s.idle && s.Part != prose.Heading && !s.words.Has(prose.Requests|prose.Routine|prose.Todo|prose.Offers|prose.Checkpoint|prose.Shifts)
}

// hasReason reports whether more than one part of a sentence says something: a task with why.
func (s sentence) hasReason() bool {
	n := 0
	for part := range strings.FieldsFuncSeq(s.Said, func(r rune) bool { return strings.ContainsRune(",;:，；：、—–(", r) }) {
		if length(part) >= least {
			n++
		}
	}
	return n > 1
}

// picks reports whether a sentence of the person settles what the agent spoke of before: it
// says so and names some of it, it names what to do in the place of what they turn down, or
// it adds a number to a yes.
func (m *message) picks(j int, before *message) bool {
	s := m.sentences[j]
	about := termsOf(before.Text.Text)
	decides := s.kind == prose.Decision || s.kind == prose.Constraint || s.kind == prose.Preference
	switch {
	case len(s.topic) == 0:
		return false
	case decides && s.topic.common(about) > 0 && len(s.topic)+1 >= leastAbout, decides && !s.corrects() && length(s.Said) >= least && len(s.topic)+1 >= leastAbout:
		return true
	case s.assents():
		return hasDigit(s.Said) && !s.terms.numbersIn(about)
	}
	return j > 0 && j <= mostRefused && m.sentences[0].corrects() && length(s.Said) >= least
}

// mostRefused is how many sentences behind a no tell what is to be done instead.
const mostRefused = 2

// withRefusal is a sentence with the short one before it that says what it is said to: "No,
// that is too much work."
func (m *message) withRefusal(j int) string {
	s, no := m.sentences[j], m.sentences[0]
	if j != 1 || s.Label != "" || no.Asks || no.idle || no.words.Has(prose.Defers) || no.assents() || no.Block != s.Block || length(no.Said) > shortYes {
		return said(s)
	}
	return no.Text + m.blank() + said(s)
}

// shortYes is how long a yes is that names nothing but what it says yes to.
const shortYes = 40

// corrects reports whether the person begins a stretch by putting something right.
func (r *reading) corrects(i int) bool {
	if i == 0 && r.since == 0 { // nothing was said that they could mean
		return false
	}
	for _, m := range r.list[i].asked {
		for _, s := range m.sentences {
			if s.corrects() {
				return true
			}
			if s.assents() { // what a yes is followed by is a condition
				break
			}
		}
	}
	return false
}

// agrees reports whether a person says yes to what stands before.
func agrees(m *message) bool {
	return slices.ContainsFunc(m.sentences, func(s sentence) bool { return s.assents() && !s.idle })
}

// goesAhead reports whether a person says no more than what to do of what was proposed: they
// name one way of several, or little at all, and the agent goes on to work.
func (r *reading) goesAhead(i int, m, before *message) bool {
	if len(m.sentences) == 0 {
		return false
	}
	if option(m, before) >= 0 {
		return true
	}
	s := m.sentences[0]
	if s.Asks || s.idle || !r.worked(i) || len(proposals(before))+len(before.lastClaim()) == 0 {
		return false
	}
	if length(m.Text.Text) > shortYes {
		return m.takes(before)
	}
	return len(s.topic) < leastAbout-1 || 2*s.topic.common(termsOf(before.Text.Text)) >= len(s.topic)
}

// takes reports whether a message begins with a few words that name what the answer before it
// claims last: "Four processes then. And ..."
func (m *message) takes(before *message) bool {
	s := m.sentences[0]
	if s.Asks || s.idle || s.corrects() || length(s.Said) > shortYes || len(s.topic) == 0 {
		return false
	}
	return slices.ContainsFunc(before.lastClaim(), func(j int) bool { return s.topic.common(before.sentences[j].topic) > len(s.topic)/2 })
}

// worked reports whether a file was changed in a stretch.
func (r *reading) worked(i int) bool {
	from, to := r.list[i].asked[0].Offset, int64(math.MaxInt64)
	if i+1 < len(r.list) {
		to = r.list[i+1].asked[0].Offset
	}
	return slices.ContainsFunc(r.edits, func(at int64) bool { return at > from && at < to })
}

// replies reports whether a sentence answers something that the agent asked, or left open,
// or measures what the agent proposed, and is more than a yes.
func replies(m *message, j int, before *message) bool {
	t := m.sentences[j].terms
	for _, s := range before.sentences {
		n := t.common(s.topic)
		if (s.Asks || s.leavesOpen()) && n > 0 || s.kind == prose.Proposal && n > 0 && measures(m.sentences[j].Said) {
			return true
		}
	}
	return false
}

// takeBack drops of an answer what the person turned down: what they speak of, by a number
// of theirs or by two of its words.
func (r *reading) takeBack(m, before *message) {
	t := terms{}
	for j, s := range m.sentences {
		if j > 0 || !m.takes(before) {
			maps.Copy(t, s.terms)
		}
	}
	for j, s := range before.sentences {
		u := s.terms
		shared := t.common(u)
		for w := range u {
			if t[w] && len(w) > 1 && hasDigit(w) {
				shared++
			}
		}
		least := 2
		if s.kind == prose.Conclusion {
			least = 3
		}
		if shared >= least || s.Role() == prose.Proposal {
			r.drop(before.standing(j))
		}
	}
}

func (r *reading) drop(text string) {
	r.dropped[bare(text)] = true
}

// agree keeps what was proposed as what was decided.
func (r *reading) agree(i int, m, before *message) {
	list := proposals(before)
	if small, _ := r.list[i].isSmall(); len(list) == 0 && !small && (!m.adds() || m.takes(before)) {
		list = before.lastClaim()
	}
	at := option(m, before)
	if at < 0 {
		at = before.recommended()
	}
	list = slices.DeleteFunc(list, func(j int) bool { // what else was proposed goes with it, unless it is for another
		s := before.sentences[j]
		n := before.picksWay(s)
		return j == at || before.holdsWay(j) || at >= 0 && (s.Part == prose.Item || s.offersWays() || n >= 0 && (before.chosen(n) != at || len(s.topic) < leastAbout || length(s.Said) <= shortYes))
	})
	if at >= 0 {
		list = append(list, at)
	}
	for _, j := range list {
		r.decide(i, before, j)
		if m.amends(before.sentences[j]) {
			r.found[len(r.found)-1].settles = false
		}
	}
}

// amends reports whether a yes goes on to say that some of what was proposed is to be otherwise.
func (m *message) amends(proposed sentence) bool {
	return slices.ContainsFunc(m.sentences, func(s sentence) bool {
		return !s.idle && s.words.Has(prose.Denies) && s.words.Has(prose.Objects|prose.TellsRule) && s.topic.common(proposed.topic) > 0
	})
}

// decide keeps a sentence of an answer as what was decided.
func (r *reading) decide(i int, before *message, j int) {
	s := before.sentences[j]
	w := newScale()
	w.add(true, byAgreed)
	r.found = append(r.found, finding{
		text: before.standing(j), kind: prose.Decision, score: w.score(), stretch: i, terms: s.terms, settles: true, agreed: true, denies: s.words.Has(prose.Denies),
	})
}

// adds reports whether a yes comes with more than that.
func (m *message) adds() bool { return len(termsOf(m.Text.Text).topical()) >= leastAbout }

// mostProposed is how many sentences a proposal has at most.
const mostProposed = 4

// proposals are the sentences of an answer that propose something: what stands under such a
// heading, else what says so, else what stands before the question that closes the answer, or
// behind the list that does.
func proposals(m *message) (out []int) {
	for j, s := range m.sentences {
		if s.Role() == prose.Proposal && !s.Asks && s.Part != prose.Heading {
			out = append(out, j)
		}
	}
	if len(out) == 0 {
		for j, s := range m.sentences {
			if s.Asks || s.Part == prose.Heading || s.kind != prose.Proposal {
				continue
			}
			if m.grants(j) {
				j++
			}
			out = append(out, j)
		}
	}
	if len(out) == 0 {
		out = m.beforeQuestion()
	}
	if len(out) == 0 {
		out = m.behindOptions()
	}
	return out[max(0, len(out)-mostProposed):]
}

// grants reports whether a sentence names a way only to say what speaks against it, and the next
// says how it is better: "We could, but that blocks for long. Renewing it is safer."
func (m *message) grants(j int) bool {
	s := m.sentences[j]
	return s.words.Has(prose.Mays) && s.words.Has(prose.Denies) && j+1 < len(m.sentences) && m.sentences[j+1].Block == s.Block && m.sentences[j+1].claims()
}

// beforeQuestion is what stands before the question that closes an answer.
func (m *message) beforeQuestion() []int {
	n := len(m.sentences)
	if n < 2 || !m.sentences[n-1].Asks {
		return nil
	}
	for j := n - 2; j >= 0; j-- {
		if s := m.sentences[j]; s.Part != prose.Heading && !s.Asks && !s.words.Has(prose.Notes) && length(s.Said) >= least && !leadsOver(s.Said) {
			if s.Part == prose.Item { // one of several, and nobody said which
				return nil
			}
			return []int{j}
		}
	}
	return nil
}

// lastClaim is the last sentence of an answer, where that says how something is or would be.
func (m *message) lastClaim() []int {
	for j, s := range slices.Backward(m.sentences) {
		switch {
		case s.Part == prose.Plain && s.claims():
			return []int{j}
		case !s.Asks:
			return nil
		}
	}
	return nil
}

// behindOptions is what closes an answer behind a list: which of its items it is for.
func (m *message) behindOptions() (out []int) {
	for j := m.options.to; j > 0 && j < len(m.sentences); j++ {
		out = append(out, j)
	}
	return out
}

// option is the sentence of an answer that the person picked of several; -1 is none. By its number
// they may name an item of any list.
func option(m, before *message) int {
	if len(before.ways) > 0 {
		return picked(m, before)
	}
	n := 0
	for _, s := range m.sentences {
		if n = cmp.Or(n, s.ordinal()); n > 0 {
			break
		}
		if g := bareOrdinal().FindStringSubmatch(s.Text); g != nil && length(s.Text) <= shortYes {
			n = int(g[1][0] - '0')
		}
	}
	if n == 0 {
		return -1
	}
	var items []int
	for j, s := range before.sentences {
		if s.Part == prose.Item && s.First {
			items = append(items, j)
		}
	}
	if n > len(items) {
		return -1
	}
	return items[n-1]
}

// ordinals are how people name an item of a list, by its number from 1 on.
var ordinals = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:option|variante|nummer|number|opción|opção|вариант|no\.?|#)\s?([1-9])\b|(?:方案|选项|案|第)\s?([1-9一二三四])|` +
		`\b(?:the |die |der |das |den |la |le |el |o |a )?(?:(first|erste[nr]?|première?|primer[ao]?|primeir[ao]|1st)|(second|zweite[nr]?|deuxième|segund[ao]|2nd)|(third|dritte[nr]?|troisième|tercer[ao]?|terceir[ao]|3rd))\b|(перв)|(втор)|(трет)`)
})

// bareOrdinal is a sentence that begins with the number of an item: "1 it is", "2, please".
var bareOrdinal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:ok(?:ay)?|yes|ja|oui|sí|sim|да|好|then|dann|let's (?:do|go with|take))?,?\s?#?([1-9])(?:$|[,.:!。，]|\s(?:it is|yes|please|then|ja|bitte|dann|oui|sí|sim|да)\b)`)
})

// ordinal is which item of a list a person names, from 1 on; 0 is none.
func ordinal(s string) int {
	m := ordinals().FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	for i, g := range m[1:] {
		switch {
		case g == "":
		case i < 2:
			if n, err := strconv.Atoi(g); err == nil {
				return n
			}
			return 1 + strings.Index("一二三四", g)/len("一")
		default:
			return 1 + (i-2)%3
		}
	}
	return 0
}

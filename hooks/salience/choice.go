package salience

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/cut"
)

// A way is one of several that a message lists to pick from, sentence by sentence.
type way struct {
	span
	mark byte // its letter in capitals, or its number as a digit; 0 is none
}

// mostWays is how many ways there are to pick from: a longer list tells facts.
const mostWays = 9

// findWays are what a message lists to pick from; none if it only tells facts. They stand behind
// marks of their own ("Option A", "2)", "方案三"), or are the items of a list that says it is of
// such, before it or behind it.
func (m *message) findWays() []way {
	if out := m.marked(); len(out) > 1 && len(out) <= mostWays {
		return out
	}
	for from := 0; from < len(m.sentences); from++ {
		to := from
		for to < len(m.sentences) && m.sentences[to].Part == prose.Item {
			to++
		}
		if to == from {
			continue
		}
		if out := m.items(span{from, to}); len(out) > 1 && len(out) <= mostWays && m.isChoice(span{from, to}) {
			return out
		}
		from = to
	}
	return m.counted()
}

// counted are the ways that a paragraph tells one after the other: "There are two ways. One is ..."
func (m *message) counted() (out []way) {
	for j, s := range m.sentences {
		switch n := len(out); {
		case s.Part != prose.Plain:
			continue
		case n > 0 && s.Block == m.sentences[out[0].from].Block && counts().MatchString(s.Text):
			out = append(out, way{span{j, j + 1}, byte('1' + n)})
		case n == 0 && j > 0 && s.Block == m.sentences[j-1].Block && m.sentences[j-1].words.Has(prose.Ways) && counts().MatchString(s.Text):
			out = []way{{span{j, j + 1}, '1'}}
		case n == 1 && s.Block != m.sentences[out[0].from].Block:
			out = nil
		}
	}
	if len(out) < 2 || len(out) > mostWays {
		return nil
	}
	for n := range out[1:] {
		out[n].to = out[n+1].from
	}
	return out
}

// counts is how a sentence begins that tells one of several ways.
var counts = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:(?:the )?(?:one|first|second|third|other|another|alternatively)|either|or|` +
		`(?:die |der |das )?(?:eine?s?|erste[ns]?|zweite[ns]?|dritte[ns]?|andere[ns]?)|alternativ|entweder|oder|(?:la |le |l['’])?(?:une?|première?|premier|deuxième|seconde?|troisième|autre)|soit|` +
		`(?:el |la |o |a )?(?:un[ao]?|uma?|primer[ao]?|primeir[ao]|segund[ao]|tercer[ao]|terceir[ao]|otr[ao]|outr[ao])|перв\pL+|втор\pL+|трет\pL+|один|одна|друг\pL+|либо)(?:$|[^\pL])|^(?:一是|二是|三是|一种|另一种|另一个|第[一二三]|一つ|もう一つ|ひとつ|もうひとつ)`)
})

// which is a word that asks for one of several.
var which = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|\PL)(?:which|welche[nrsm]?|lequel|laquelle|lesquel\pL*|cuál(?:es)?|qual|quais|как(?:ой|ую|ие|ая)|котор\pL+)(?:$|\PL)|哪|どれ|どちら|どっち`)
})

// marked are the parts of a message that begin with the mark of a way.
func (m *message) marked() (out []way) {
	for j, s := range m.sentences {
		g := wayMark().FindStringSubmatch(strings.TrimLeft(s.Text, "*_ "))
		n := len(out)
		switch {
		case g == nil || n == 0 && !s.First && !m.leadsTo(j):
			continue
		case g[1] != "":
		case s.Part == prose.Item || n == 0 && !m.leadsTo(j): // "A) ..." by itself may be anything
			continue
		}
		mark := markOf(g[1] + g[2])
		if n > 0 && mark != out[n-1].mark+1 {
			continue
		}
		if n > 0 {
			out[n-1].to = j
		}
		out = append(out, way{span{j, j + 1}, mark})
	}
	if n := len(out); n > 0 {
		last := &out[n-1]
		block := m.sentences[last.from].Block
		if m.sentences[last.from].Part == prose.Heading {
			block++
		}
		for last.to < len(m.sentences) && m.sentences[last.to].Block <= block && !m.sentences[last.to].Asks {
			last.to++
		}
	}
	return out
}

// wayMark is how a way begins: with a word for one and its mark, or with a mark alone.
var wayMark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:option|variante?|alternative?|alternativa|approach|ansatz|weg|piste|opción|opcion|opção|caminho|вариант|способ|方案|选项|办法|思路|プラン|案)\s?([A-Fa-f1-9一二三四五①②③④])(?:$|[^\pL\pN]|\p{Han})|` +
		`^\(?([A-F1-9])(?:\)|\.|:|：|、)\s`)
})

// markOf is a mark as a letter in capitals or a digit.
func markOf(s string) byte {
	for _, row := range []string{"一二三四五", "①②③④"} {
		if i := strings.Index(row, s); i >= 0 {
			return byte('1' + i/len("一"))
		}
	}
	return strings.ToUpper(s)[0]
}

// leadsTo reports whether what stands before a sentence says that ways follow.
func (m *message) leadsTo(j int) bool {
	return j > 0 && m.sentences[j-1].offersWays()
}

// offersWays reports whether a sentence says that there are several ways.
func (s sentence) offersWays() bool {
	return s.words.Has(prose.Ways) || s.words.Has(prose.Options) && (leadsOver(s.Said) || s.Part == prose.Heading || s.Asks)
}

func (m *message) items(list span) (out []way) {
	for j := list.from; j < list.to; j++ {
		if n := len(out); m.sentences[j].First || n == 0 {
			out = append(out, way{span{j, j + 1}, byte('1' + n)})
			if g := wayMark().FindStringSubmatch(strings.TrimLeft(m.sentences[j].Text, "*_ ")); g != nil {
				out[n].mark = markOf(g[1] + g[2])
			}
		} else {
			out[n-1].to = j + 1
		}
	}
	return out
}

// isChoice reports whether a list is of ways: its heading or the line before it says so, or the
// question behind it asks which.
func (m *message) isChoice(list span) bool {
	if prose.SignsOf(m.sentences[list.from].Heading+":", m.language).Has(prose.Ways|prose.Options) || m.leadsTo(list.from) {
		return true
	}
	for _, s := range m.sentences[list.to:] {
		if s.Part == prose.Heading || s.Part == prose.Item {
			return false
		}
		if s.Asks && (s.words.Has(prose.Ways|prose.Consults) || which().MatchString(s.Text)) {
			return true
		}
	}
	return false
}

// inWay reports whether a sentence belongs to one of several ways, or weighs them.
func (m *message) inWay(j int) bool {
	s := m.sentences[j]
	if s.offersWays() {
		return true
	}
	if n := len(m.ways); n > 0 && j >= m.ways[n-1].to && s.kind == "" {
		return s.words.Has(prose.First|prose.Second|prose.Third) || len(m.named(s)) > 0
	}
	return m.holdsWay(j)
}

// holdsWay reports whether a sentence says what one of several ways is.
func (m *message) holdsWay(j int) bool {
	return slices.ContainsFunc(m.ways, func(w way) bool { return j >= w.from && j < w.to })
}

// named are the ways that a sentence names by a word that none of the others has.
func (m *message) named(s sentence) (out []int) {
	for n, w := range m.ways {
		own := m.termsOf(w)
		for i, other := range m.ways {
			if i != n {
				for t := range m.termsOf(other) {
					delete(own, t)
				}
			}
		}
		if s.topic.common(own) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// termsOf are what a way is about: what its first sentence says, and its heading.
func (m *message) termsOf(w way) terms {
	out := terms{}
	for j := w.from; j < w.to; j++ {
		if s := m.sentences[j]; s.Block == m.sentences[w.from].Block || j == w.from {
			for t := range termsOf(s.Text).topical() {
				out[t] = true
			}
		}
	}
	return out
}

// picksWay is the way that a sentence picks of those of a message; -1 is none.
func (m *message) picksWay(s sentence) int {
	if len(m.ways) == 0 || s.Asks || s.words.Has(prose.Pending|prose.Someday) {
		return -1
	}
	mark := byte(0)
	if g := bareOrdinal().FindStringSubmatch(s.Text); g != nil && length(s.Text) <= 2*shortYes {
		mark = g[1][0]
	} else if n := s.ordinal(); n > 0 {
		mark = byte('0' + n)
	} else if g := bareLetter().FindStringSubmatch(s.Text); g != nil {
		mark = strings.ToUpper(g[1] + g[2])[0]
	}
	if mark != 0 {
		if n := slices.IndexFunc(m.ways, func(w way) bool { return w.mark == mark }); n >= 0 {
			return n
		}
		n := int(mark - '1')
		if mark >= 'A' {
			n = int(mark - 'A')
		}
		if n >= 0 && n < len(m.ways) {
			return n
		}
		return -1
	}
	clause, _, _ := strings.Cut(strings.NewReplacer("，", ",", "、", ",", ";", ",").Replace(s.Said), ",") // what follows says why
	first := judged(prose.Sentence{Text: clause, Said: clause}, m.language, true)
	if list := m.named(first); len(list) == 1 && !first.words.Has(prose.Denies) && (length(clause) <= 2*shortYes || s.kind == prose.Decision) {
		return list[0]
	}
	return -1
}

// ordinal is which of several a sentence names, if that is what it begins with or all it says: not
// "I have to ask finance first".
func (s sentence) ordinal() int {
	n := ordinal(s.Said)
	if length(s.Said) > shortYes && ordinal(cut.Bytes(s.Said, shortYes/2)) != n {
		return 0
	}
	return n
}

// bareLetter is a sentence that names a way by its letter: "B", "nimm B, ...", "let's go with b".
var bareLetter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[\pL']+[ ,]+){0,4}([A-F])(?:$|[,.:;!。，]|\s)|^(?i:(?:(?:ok(?:ay)?|ja|yes|oui|sí|sim|да|好|nimm|nehmen wir|take|go with|let's do|let's go with|use|prends|on prend|vamos com|давай|选)[ ,]*){0,2}([b-f]))(?:$|[,.:;!。，]|\s(?:it is|please|then|bitte|dann|por favor|吧))`)
})

// chosen is the sentence that says what a way is: the first of it that is no heading.
func (m *message) chosen(n int) int {
	w := m.ways[n]
	for j := w.from; j < w.to; j++ {
		if m.sentences[j].Part != prose.Heading {
			return j
		}
	}
	return w.from
}

// picked is the sentence of an answer which says what the person picked; -1 is none.
func picked(m, before *message) int {
	for _, s := range m.sentences {
		if n := before.picksWay(s); n >= 0 && !s.idle {
			return before.chosen(n)
		}
	}
	return -1
}

// recommended is the sentence of an answer which says what the way is that it is for itself.
func (m *message) recommended() int {
	if len(m.ways) == 0 {
		return -1
	}
	for _, s := range slices.Backward(m.sentences[m.ways[len(m.ways)-1].to:]) {
		if n := m.picksWay(s); n >= 0 {
			return m.chosen(n)
		}
	}
	return -1
}

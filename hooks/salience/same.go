package salience

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/cut"
)

// terms are what a text is about: its longer words by their beginnings, so that endings do
// not count, its numbers, and of scripts without blanks each two characters in a row.
type terms map[string]bool

const (
	leastWord = 4 // letters of a word that says something
	stem      = 5 // letters of it that count
)

func termsOf(texts ...string) terms {
	out := terms{}
	for _, text := range texts {
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '%' }) {
			if !commonWords()[strings.ToLower(w)] || isAbbreviation(w) {
				out.add(w)
			}
		}
	}
	return out
}

func (t terms) add(w string) {
	runes := []rune(w)
	from := 0
	for i := 0; i <= len(runes); i++ {
		if i < len(runes) && isHan(runes[i]) == isHan(runes[from]) {
			continue
		}
		if run := runes[from:i]; len(run) > 0 && isHan(run[0]) {
			for j := 0; j+1 < len(run); j++ {
				t[string(run[j:j+2])] = true
			}
		} else if part := string(run); hasDigit(part) || isAbbreviation(part) {
			t[strings.ToLower(part)] = true
		} else if len(run) >= leastWord {
			t[strings.ToLower(string(run[:min(len(run), stem)]))] = true
		}
		from = i
	}
}

// isAbbreviation reports whether a word is in capitals: "CSV".
func isAbbreviation(w string) bool { return len(w) > 1 && w == strings.ToUpper(w) && w[0] < 0x80 }

// topical are the terms that tell what a text is about: of two characters in a row those
// with a particle or a syllable of kana in them do not.
func (t terms) topical() terms {
	if !t.hasParticles() {
		return t
	}
	out := terms{}
	for w := range t {
		if strings.IndexFunc(w, particle) < 0 {
			out[w] = true
		}
	}
	return out
}

func (t terms) hasParticles() bool {
	for w := range t {
		if strings.IndexFunc(w, particle) >= 0 {
			return true
		}
	}
	return false
}

// particle reports whether a character of Chinese or Japanese names nothing by itself.
func particle(r rune) bool {
	return r >= utf8.RuneSelf && (r >= 0x3041 && r <= 0x309f || strings.ContainsRune("你您我他她它们的了吗呢吧啊哦呀么什这那哪就也很怎把被帮给请谢让再好一下有是太", r))
}

func isHan(r rune) bool { return r >= 0x2e80 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7af }

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// commonWords are words of four letters and more that any text has.
var commonWords = prose.WordSet(`about after also and because been before both could does each else even every everybody from have here into just like
		make more most much must need only other over please same should some such than thanks that their them then there these they thing this those through
		very want well were what when where which while will with would your yours user
		aber alle alles also auch beim bitte dann dass dein deine dem denn deshalb dies diese dieser doch dort durch eine einem einen einer eines etwas falls ganz
		habe haben hast hatte hier ihre immer jetzt kann kannst kein keine können machen macht mehr muss müssen nach nicht noch nur oder ohne schon sehr sein seine
		seit sich sie sind soll sollen sondern und uns unser über unter viel vom von vor war waren warum was weil welche wenn werden wird wieder wir wurde wurden zum zur
		avec beaucoup dans des elle elles encore est être fait faire leur leurs mais même nous pour pourquoi quand quel quelle quoi sans sont très tout tous une votre vous
		antes como con cuando del desde donde ella ellos entre esta está este esto están hacer hasta mucha muchas mucho muchos para pero porque puede qué ser sin sobre todo todos una
		ainda até com esse essa fazer isso mais mas muita muito não nos onde pela pelo por quando que sem ser seu sua também tem uma você
		будет было была были быть если есть ещё или как когда который которые можно надо него нужно очень после потому почему при также только тоже чтобы этого этот`)

// common counts the terms that two texts share.
func (t terms) common(u terms) (n int) {
	for w := range t {
		if u[w] {
			n++
		}
	}
	return n
}

// weight is how many words a text has as terms: two characters of Chinese or Japanese in a row
// overlap with the next two.
func (t terms) weight() (n float64) {
	for w := range t {
		if r, _ := utf8.DecodeRuneInString(w); isHan(r) {
			n += 0.5
		} else {
			n++
		}
	}
	return n
}

// counts reports whether a text names a number.
func (t terms) counts() bool {
	for w := range t {
		if hasDigit(w) {
			return true
		}
	}
	return false
}

// sameNumbers reports whether two texts name the same numbers, which may be none.
func (t terms) sameNumbers(u terms) bool {
	for w := range t {
		if hasDigit(w) && !u[w] {
			return false
		}
	}
	for w := range u {
		if hasDigit(w) && !t[w] {
			return false
		}
	}
	return true
}

// How much of the shorter of two statements the other one has, if they say the same, or
// speak of the same thing.
const (
	sameShare  = 0.85
	aboutShare = 0.6
)

// share is how much of the smaller of two sets the other one has.
func share(t, u terms) float64 {
	least := min(len(t), len(u))
	if least == 0 {
		return 0
	}
	return float64(t.common(u)) / float64(least)
}

// says reports whether a text is part of what t is made of: t says it already.
func (t terms) says(u terms) bool {
	return len(u) > 0 && float64(u.common(t)) >= sameShare*float64(len(u)) && u.numbersIn(t)
}

// numbersIn reports whether another text has all numbers of this one.
func (t terms) numbersIn(u terms) bool {
	for w := range t {
		if hasDigit(w) && !u[w] {
			return false
		}
	}
	return true
}

// bare is a text on one line, without emphasis, in small letters: what two texts that are
// the same have in common.
func bare(s string) string {
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	return strings.Trim(emphasis().Replace(s), " .。!！")
}

var emphasis = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("**", "", "__", "")
})

// clip is a text on one line in at most n characters.
func clip(s string, n int) string { return cut.Runes(strings.Join(strings.Fields(s), " "), n) }

// length is how long a sentence is to a reader: a character of Chinese or Japanese counts
// as half a word.
func length(s string) (n int) {
	for _, r := range s {
		if n++; isHan(r) {
			n += 2
		}
	}
	return n
}

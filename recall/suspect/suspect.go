// Package suspect finds in a text what tries to steer the agent that reads it, or to hide
// from the person who does.
package suspect

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/internal/lists"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/brief"
)

// The rules. Each looks for a form and not for the words of one attack: a text that only
// speaks of such things is mostly let through, and a few are not (docs/trust.md has figures).
const (
	Instruction = "instruction"   // it takes back what the agent was told, or makes it somebody else
	Command     = "command"       // it wants something run before the agent answers, or on being read
	Conceal     = "conceal"       // it asks to keep something from the user
	Exfiltrate  = "exfiltrate"    // it asks to send files, secrets or the conversation somewhere
	ToolCall    = "tool-call"     // it imitates a call of a tool, or the result of one
	Role        = "role"          // it imitates the mark of a turn, of the system or the user
	Fence       = "fence"         // it imitates the tag that text of the memory stands in
	Hidden      = "hidden"        // it has characters that a reader does not see, or that reorder others
	Alphabet    = "look-alike"    // a word has letters of another alphabet that look like its own
	Link        = "link"          // a link has credentials, or carries data away
	PipeToShell = "pipe-to-shell" // it runs what it downloads or decodes
	Encoded     = "encoded"       // what it encodes is a command, or breaks one of these rules
	Long        = "long"          // it is longer than what is looked at
)

// A Finding is what a rule found in a text.
type Finding struct {
	Rule     string
	From, To int    // in bytes
	What     string // the text between them, on one line, visible and cut
}

// mostLooked bounds how much of a text is looked at, in bytes; where somebody may repeat
// what is slow to look for 64 kB take 0.2 s. mostShown is how many characters of a finding are shown.
const mostLooked, mostShown = 64 << 10, 80

// Find returns what is suspect in a text, in its order. It is a pure function, and takes some
// 0.1 ms for a note of 500 characters.
func Find(text string) []Finding { return find(text, true) }

func find(text string, decode bool) (out []Finding) {
	if len(text) > mostLooked {
		out = append(out, Finding{Long, 0, len(text), legible.Count(len(text), "byte")})
		text = text[:mostLooked]
	}
	note := func(rule string, from, to int) {
		out = append(out, Finding{rule, from, to, cut.Runes(legible.OneLine(text[from:to]), mostShown)})
	}
	f := fold(text)
	forms, words := patterns()
	has := words.in(f.text)
	for _, p := range forms {
		if at := p.in(f.text, has); at != nil {
			note(p.rule, f.at[at[0]], f.at[at[1]])
		}
	}
	hidden(text, note)
	mixedWords(text, note)
	if decode {
		encoded(text, note)
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return a.From - b.From })
	return slices.CompactFunc(out, func(a, b Finding) bool { return a.Rule == b.Rule && b.From < a.To })
}

// Rules are the names of the rules that found something, each once, in the order of the text.
func Rules(found []Finding) (names []string) {
	for _, f := range found {
		if !slices.Contains(names, f.Rule) {
			names = append(names, f.Rule)
		}
	}
	return names
}

// Text lists what was found, a line each.
func Text(found []Finding) string {
	var b strings.Builder
	for _, f := range found {
		b.WriteString(f.Rule + ": " + f.What + "\n")
	}
	return b.String()
}

// A folded text has letters as they look: small ones of ASCII, without what nobody sees, without
// marks of emphasis, and with one blank for many. at says where each byte was.
type folded struct {
	text string
	at   []int
}

func fold(text string) folded {
	b, at := make([]byte, 0, len(text)), make([]int, 0, len(text)+1)
	for i, r := range text {
		s := foldedRune(r)
		if n := len(b); n > 0 && s == "\n" && b[n-1] == ' ' {
			b, at = b[:n-1], at[:n-1]
		} else if n > 0 && s == " " && (b[n-1] == ' ' || b[n-1] == '\n') {
			continue
		}
		for range len(s) {
			at = append(at, i)
		}
		b = append(b, s...)
	}
	return folded{string(b), append(at, len(text))}
}

// other stands for a character that no pattern names.
const other = "\x01"

func foldedRune(r rune) string {
	if c := brief.LookAlike(r); c != 0 {
		return string(c)
	}
	switch {
	case r == '\n' || r == '\u2028' || r == '\u2029':
		return "\n"
	case unicode.IsSpace(r):
		return " "
	case r == '*' || r == '`' || r != utf8.RuneError && brief.IsUnseen(r):
		return ""
	case r < utf8.RuneSelf:
		return string(r)
	case r == 'ß':
		return "ss"
	case r == 'œ':
		return "oe"
	case r >= '\uff01' && r <= '\uff5e':
		return string(r - '\uff01' + '!')
	case strings.ContainsRune("’‘ʼ′", r):
		return "'"
	case strings.ContainsRune("“”„«»", r):
		return `"`
	case strings.ContainsRune("‹❮❬❰〈〈⟨《⟪ᐸ˂≺⩹﹤", r):
		return "<"
	case unicode.In(r, unicode.Pd):
		return "-"
	}
	return other
}

// A pattern is one form of a rule; a blank in it is any. hints are words of which a text has to have one, lest each
// is searched for all forms; unless is what must not stand right before the form.
type pattern struct {
	rule   string
	hints  []int // of a vocabulary
	form   *regexp.Regexp
	unless *regexp.Regexp
	needs  *regexp.Regexp // stands in what was found
	words  [][]int        // as [required] has them of the form
}

// A vocabulary is the words that tell which forms a text may have; most are those of several.
type vocabulary struct {
	words []string
	at    map[string]int
}

func (v *vocabulary) add(words []string) (at []int) {
	for _, w := range words {
		if _, ok := v.at[w]; !ok {
			v.at[w] = len(v.words)
			v.words = append(v.words, w)
		}
		at = append(at, v.at[w])
	}
	return at
}

// in tells which words stand in a text. Each is looked for once, if somebody asks, and where all
// pairs of its letters stand there: in a note of 100 letters few words have them, which leaves a
// quarter of the time.
func (v *vocabulary) in(text string) func(word int) bool {
	stands := make([]int8, len(v.words)) // 0 is not known yet, -1 is no
	var pairs [1 << 14 / 64]uint64
	for i := 1; i < len(text); i++ {
		at := pairAt(text, i)
		pairs[at/64] |= 1 << (at % 64)
	}
	may := func(word string) bool {
		for i := 1; i < len(word); i++ {
			if at := pairAt(word, i); pairs[at/64]&(1<<(at%64)) == 0 {
				return false
			}
		}
		return true
	}
	return func(word int) bool {
		if stands[word] == 0 {
			stands[word] = -1
			if may(v.words[word]) && strings.Contains(text, v.words[word]) {
				stands[word] = 1
			}
		}
		return stands[word] > 0
	}
}

// pairAt numbers a letter and the one before it; those that are no ASCII share theirs with others.
func pairAt(text string, i int) int { return int(text[i-1]&0x7f)<<7 | int(text[i]&0x7f) }

// in is where the form stands in a folded text; nil is nowhere.
func (p *pattern) in(text string, has func(word int) bool) []int {
	if !slices.ContainsFunc(p.hints, has) {
		return nil
	}
	for _, any := range p.words {
		if !slices.ContainsFunc(any, has) {
			return nil
		}
	}
	for _, at := range p.form.FindAllStringIndex(text, -1) {
		before := text[max(0, at[0]-40):at[0]]
		if (p.unless == nil || !p.unless.MatchString(before)) && (p.needs == nil || p.needs.MatchString(text[at[0]:at[1]])) {
			return at
		}
	}
	return nil
}

var patterns = sync.OnceValues(func() (list []*pattern, v vocabulary) {
	v.at = map[string]int{}
	for _, f := range forms {
		form := `(?m)` + strings.ReplaceAll(f.form, " ", `\s`)
		p := &pattern{rule: f.rule, hints: v.add(strings.Fields(f.hints)), form: regexp.MustCompile(form), words: lists.Map(required(form), v.add)}
		if f.unless != "" {
			p.unless = regexp.MustCompile(`(?:` + f.unless + `)[\w' ]{0,16}$`)
		}
		if f.needs != "" {
			p.needs = regexp.MustCompile(`(?s)` + strings.ReplaceAll(f.needs, " ", `\s`))
		}
		list = append(list, p)
	}
	return list, v
})

package prose

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Signs are what the words of a sentence tell, as a set.
type Signs uint64

// What somebody says outright: enough to interrupt for.
const (
	Decides    Signs = 1 << iota // something is decided, in plain words: "let's go with 1 GiB"
	Concludes                    // something was found out: "that explains", "in short"
	Causes                       // why something is so: "the reason is"
	Limits                       // what a plan has to bend to: "at most", "must not"
	Fails                        // something was tried in vain
	Prefers                      // how somebody wants things done
	Ways                         // several ways are open
	Shifts                       // the talk turns to something else
	Agrees                       // a yes to what was said before
	Proposes                     // something is proposed to the other
	Remember                     // asks for a fact to be kept
	Always                       // asks for a rule to be kept
	Todo                         // asks for a task to be kept
	Checkpoint                   // asks for the state of things to be kept
	Pending                      // something is open, or not known

	Doubts   // takes back: a guess, a condition, what somebody else said
	Plans    // takes back: what is about to be done
	Reports  // takes back: a step that was done
	Routine  // a step of no consequence: "run the tests"
	Requests // asks the other to do something: "can you ...?"
	Errand   // do not forget it here and now: "... to run the tests after that"

	First // names the first of several
	Second
	Third

	// What an account of work is told with: enough for who reads it afterwards, and too
	// little to interrupt for.
	TellsDecision
	TellsConclusion
	TellsConstraint
	TellsRule // a constraint where a person says it
	TellsProposal
	Changes  // something is otherwise now than it was
	Breaks   // a test or a command fails
	Finds    // "found it", before it is said what
	Idles    // a step, or a courtesy: nothing is claimed
	Notes    // takes note of what the other said
	Guesses  // what is said may not be so
	Offers   // asks what to do next
	Assents  // begins with a yes
	Objects  // says that it is otherwise
	Thanks   // is polite, and no more
	Backward // goes on with the sentence before
	Points   // speaks of something that was said before
	Denies   // takes something back
	RulesOut // is not what was suspected: "it is not the cache"
	Consults // asks what the other thinks of it: "what would you do?"
	Wonders  // begins as a question does, whatever it ends with
	Tasks    // begins with what the other is to do: "add a test"
	Options  // says that what follows are ways of which one is to be picked
	Someday  // speaks of another time, or of what could be: "one day", "we'd have to"
	Jests    // is no more than a joke
	Reverses // takes a decision back: "on second thought"
	Defers   // somebody else is to be asked first: "I'll ask Bruno"

	// What tells two statements apart that have the same words.
	Ahead    // is still to be done
	Done     // has been done
	Musts    // is demanded
	Mays     // is allowed, or possible
	Wholes   // holds for all
	Parts    // holds for some
	Remains  // is as it was before
	Orders   // tells the reader what to do
	OfPerson // says that it is from the person
	OfAgent  // says that it is from the agent
)

// groups are the headings of the files in signs/.
var groups = sync.OnceValue(func() map[string]Signs {
	return map[string]Signs{
		"decides": Decides, "concludes": Concludes, "causes": Causes, "limits": Limits, "fails": Fails, "prefers": Prefers, "ways": Ways, "shifts": Shifts,
		"agrees": Agrees, "proposes": Proposes, "remember": Remember, "always": Always, "todo": Todo, "checkpoint": Checkpoint, "pending": Pending,
		"doubts": Doubts, "plans": Plans, "reports": Reports, "routine": Routine, "requests": Requests, "errand": Errand, "first": First, "second": Second, "third": Third,

		"decision": TellsDecision, "conclusion": TellsConclusion, "constraint": TellsConstraint, "rule": TellsRule, "proposal": TellsProposal,
		"changes": Changes, "breaks": Breaks, "finds": Finds, "idles": Idles, "notes": Notes, "guesses": Guesses, "offers": Offers, "assents": Assents, "objects": Objects,
		"thanks": Thanks, "backward": Backward, "points": Points, "denies": Denies,
		"rules out": RulesOut, "consults": Consults, "wonders": Wonders, "tasks": Tasks,
		"options": Options, "someday": Someday, "jests": Jests, "reverses": Reverses, "defers": Defers,

		"ahead": Ahead, "done": Done, "musts": Musts, "mays": Mays, "wholes": Wholes, "parts": Parts, "remains": Remains, "orders": Orders, "of person": OfPerson, "of agent": OfAgent,
	}
})

// negatable are the signs that a "not" before them takes away.
const negatable = Decides | Concludes | Causes | Agrees | Proposes | Prefers

// Has reports whether one of the signs is there.
func (s Signs) Has(some Signs) bool { return s&some != 0 }

// SignsOf are the signs of a sentence in a language; of one that is not known, those of
// English. Code, quotations and links count for nothing.
func SignsOf(sentence string, l Lang) Signs {
	x := lexiconOf(l)
	words, starts := x.cut(Spoken(sentence))
	var out Signs
	for i, w := range words {
		for _, p := range x.phrases[w] {
			out |= x.found(p, words, starts, i)
		}
		for _, p := range x.open {
			out |= x.found(p, words, starts, i)
		}
	}
	return out
}

//go:embed signs/*.txt
var signFiles embed.FS

// A lexicon is what one language says such things with.
type lexicon struct {
	phrases map[string][]*phrase // by the word that they begin with
	open    []*phrase            // those that begin with the beginning of a word
	leads   map[string]bool      // words that a sentence may have before it begins
	not     map[string]bool      // words that turn what follows into its contrary

	rows map[string][]wordRow // of [Stated], by the name of the list
}

// A phrase is a row of words in the form of signs/README. It is parsed where its first word
// was found: most phrases of a language a process never meets.
type phrase struct {
	sign   Signs
	begins place // where it counts
	text   string

	parse sync.Once
	steps []phraseStep // all
	ends  bool         // only where the sentence ends
}

// A place is where in a sentence a word stands.
type place uint8

const (
	within  place = iota
	ofPart        // a part of the sentence begins
	ofWhole       // the sentence begins, but for words that lead in
)

// A phraseStep is one of several words or short rows of words.
type phraseStep struct {
	any      [][]string // a word with * at its end begins so, with * in front ends so
	gap      bool       // up to mostBetween words
	optional bool
}

// anyWord stands for one word, and no mark.
const anyWord = "_"

// mostBetween is how many words a gap holds at most; Chinese and Japanese characters are
// words here.
const mostBetween = 8

var lexicons = sync.OnceValue(func() map[Lang]func() *lexicon {
	out := map[Lang]func() *lexicon{}
	for _, l := range []Lang{English, German, French, Spanish, Portuguese, Russian, Chinese, Japanese} {
		out[l] = sync.OnceValue(func() *lexicon {
			text, err := signFiles.ReadFile("signs/" + string(l) + ".txt")
			if err == nil {
				var x *lexicon
				if x, err = parseLexicon(string(text)); err == nil {
					return x
				}
			}
			panic(err) // it is built in, and a test reads it
		})
	}
	return out
})

func lexiconOf(l Lang) *lexicon {
	if load := lexicons()[l]; load != nil {
		return load()
	}
	return lexicons()[English]()
}

// parseLexicon reads the form that signs/README describes.
func parseLexicon(text string) (*lexicon, error) {
	x := &lexicon{phrases: map[string][]*phrase{}, leads: map[string]bool{}, not: map[string]bool{}, rows: map[string][]wordRow{}}
	group := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, ok := strings.CutPrefix(line, "[")
		switch {
		case line == "" || line[0] == '#':
		case ok:
			group = strings.TrimSuffix(name, "]")
			if groups()[group] == 0 && group != "leads" && group != "not" && !slices.Contains(rowLists, group) {
				return nil, fmt.Errorf("unknown group '%s'", group)
			}
		case group == "leads":
			x.add(x.leads, line)
		case group == "not":
			x.add(x.not, line)
		case slices.Contains(rowLists, group):
			for w := range strings.FieldsSeq(line) {
				words, _ := x.cut(strings.ReplaceAll(w, "_", " "))
				x.rows[group] = append(x.rows[group], words)
			}
		case groups()[group] == 0:
			return nil, fmt.Errorf("'%s' stands before the first group", line)
		default:
			x.phrase(groups()[group], line)
		}
	}
	return x, nil
}

func (x *lexicon) add(set map[string]bool, line string) {
	for w := range strings.FieldsSeq(line) {
		set[w] = true
	}
}

// phrase takes up a line of a group.
func (x *lexicon) phrase(s Signs, line string) {
	p := &phrase{sign: s, text: line}
	switch first, rest, _ := strings.Cut(line, " "); first {
	case "^":
		p.begins, p.text = ofPart, strings.TrimLeft(rest, " ")
	case "^^":
		p.begins, p.text = ofWhole, strings.TrimLeft(rest, " ")
	}
	first, _, _ := strings.Cut(p.text, " ")
	firsts, ok := x.firsts(first)
	if !ok {
		x.open = append(x.open, p)
	}
	for _, w := range firsts {
		x.begins(w, p)
	}
}

// firsts are the words that a phrase with this first step begins with, if that is whole words.
func (x *lexicon) firsts(step string) (words []string, ok bool) {
	if step == ".." || len(step) > 1 && strings.HasSuffix(step, "?") {
		return nil, false
	}
	for alt := range strings.SplitSeq(step, "|") {
		w := x.firstOf(alt)
		if strings.HasSuffix(w, "*") || strings.HasPrefix(w, "*") || w == "9" {
			return nil, false
		}
		words = append(words, w)
	}
	return words, true
}

// firstOf is the first word of a row.
func (x *lexicon) firstOf(row string) string {
	w, _, _ := strings.Cut(row, "_")
	if w == "" || !strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return cmp.Or(w, row)
	}
	words, _ := x.cut(w)
	return words[0]
}

// begins notes that a phrase begins with a word.
func (x *lexicon) begins(w string, p *phrase) {
	if list := x.phrases[w]; len(list) == 0 || list[len(list)-1] != p {
		x.phrases[w] = append(list, p)
	}
}

// whole parses a phrase.
func (x *lexicon) whole(p *phrase) {
	for f := range strings.FieldsSeq(p.text) {
		if f == "$" {
			p.ends = true
		} else {
			p.steps = append(p.steps, x.step(f))
		}
	}
}

func (x *lexicon) step(f string) phraseStep {
	if f == ".." {
		return phraseStep{gap: true, optional: true}
	}
	step := phraseStep{}
	if rest, ok := strings.CutSuffix(f, "?"); ok && rest != "" {
		f, step.optional = rest, true
	}
	for alt := range strings.SplitSeq(f, "|") {
		words := []string{alt}
		if strings.ContainsFunc(alt, func(r rune) bool { return r < 'a' || r > 'z' }) && alt != anyWord {
			words, _ = x.cut(strings.ReplaceAll(alt, "_", " "))
		}
		step.any = append(step.any, words)
	}
	return step
}

// cut takes a text apart into words in small letters and marks, and tells at which of them
// a sentence or a part of it begins. Chinese and Japanese characters are words of their own.
func (x *lexicon) cut(s string) (words []string, starts []place) {
	s = strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	lead, from := ofWhole, -1
	push := func(w string) {
		words, starts = append(words, w), append(starts, lead)
		switch {
		case lead > within && x.leads[w]:
		case isBreak(w):
			lead = max(lead, ofPart)
		default:
			lead = within
		}
	}
	for i, r := range s {
		inside := !wide(r) && (wordRune(r) || strings.ContainsRune("'-_.%*`", r))
		if inside && from < 0 {
			from = i
		}
		if inside {
			continue
		}
		if from >= 0 {
			x.word(s[from:i], push)
			from = -1
		}
		if wide(r) || strings.ContainsRune(",:;!?()¿¡—–…👍", r) {
			push(string(r))
		}
	}
	if from >= 0 {
		x.word(s[from:], push)
	}
	return words, starts
}

// word pushes a word, and the dash or the full stop behind it as a mark.
func (x *lexicon) word(w string, push func(string)) {
	bare := strings.TrimRight(w, ".-")
	if bare = strings.TrimLeft(bare, "-"); bare != "" {
		push(bare)
	} else if strings.Contains(w, "-") {
		push("-")
	}
}

// isBreak reports whether a part of a sentence may begin behind a mark.
func isBreak(w string) bool {
	switch w {
	case ",", ":", ";", "(", "-", "—", "–", "…", "!", "?", "¿", "¡", "，", "：", "；", "（", "、", "。", "！", "？":
		return true
	}
	return false
}

// found is the sign of a phrase if it stands at word i.
func (x *lexicon) found(p *phrase, words []string, starts []place, i int) Signs {
	if p.begins > starts[i] || p.sign&negatable != 0 && x.negated(words, i) {
		return 0
	}
	p.parse.Do(func() { x.whole(p) })
	if !p.matches(words, i, 0) {
		return 0
	}
	return p.sign
}

// negated reports whether a "not" stands close before word i.
func (x *lexicon) negated(words []string, i int) bool {
	for j := i - 1; j >= max(0, i-2) && !isBreak(words[j]); j-- {
		if x.not[words[j]] {
			return true
		}
	}
	return false
}

// matches reports whether the steps of a phrase from n on stand at word i.
func (p *phrase) matches(words []string, i, n int) bool {
	if n == len(p.steps) {
		return !p.ends || ended(words[i:])
	}
	step := p.steps[n]
	if step.optional && p.matches(words, i, n+1) {
		return true
	}
	if step.gap {
		for j := i; j < min(len(words), i+mostBetween) && !strings.ContainsAny(words[j], ";()"); j++ {
			if p.matches(words, j+1, n+1) {
				return true
			}
		}
		return false
	}
	for _, alt := range step.any {
		if has(words[i:], alt) && p.matches(words, i+len(alt), n+1) {
			return true
		}
	}
	return false
}

// has reports whether words begin with those of an alternative.
func has(words, alt []string) bool {
	if len(words) < len(alt) {
		return false
	}
	for i, w := range alt {
		head, open := strings.CutSuffix(w, "*")
		tail, ends := strings.CutPrefix(w, "*")
		switch {
		case w == anyWord:
			if isBreak(words[i]) {
				return false
			}
		case w == "9":
			if strings.IndexAny(words[i], "0123456789") != 0 {
				return false
			}
		case words[i] != w && !(open && strings.HasPrefix(words[i], head)) && !(ends && strings.HasSuffix(words[i], tail) && words[i] != tail):
			return false
		}
	}
	return true
}

// ended reports whether nothing but marks follow.
func ended(words []string) bool {
	for _, w := range words {
		if !isBreak(w) && w != ")" && w != "👍" {
			return false
		}
	}
	return true
}

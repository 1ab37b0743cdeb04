package shorthand

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// People and models write in one text what the schema has as a list, and in one line
// what it has as a mapping. What such a text means is decided here, so that files,
// options and tools give the same answer.

// wordLists are the fields that list words, names or ids, which commas set apart. All
// others list sentences, which hold commas.
var wordLists = []string{
	"keywords", "skills", "paths", "stakeholders", "action_stakeholders", "files_explored", "files_changed",
	"knowledge_recalled", "between", "sources", "aliases", "parents", "merge_sources",
	"related", "related_to", "supersedes", "contradicts", "extends",
}

// SplitList returns the entries of a list that was written as one text; field is the
// key that it stands under. Words, names and ids are set apart by commas or lines;
// sentences by lines, whose bullets and numbers are no part of them, and to which the
// indented lines below them belong; patterns by lines alone. A text with a code block
// in it is one entry.
func SplitList(field, text string) []string {
	switch {
	case field == "patterns":
		return trimmedLines(strings.Split(text, "\n"))
	case slices.Contains(wordLists, field):
		var out []string
		for _, line := range sentences(text) {
			if ids := splitVersus(line); field == "between" && len(ids) > 1 {
				out = append(out, ids...)
				continue
			}
			out = append(out, splitCommas(line)...)
		}
		return out
	}
	return sentences(text)
}

func trimmedLines(list []string) (out []string) {
	for _, s := range list {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// splitCommas cuts s at the commas that stand in no brackets: f(a, b) and {a,b}.go are
// one word each.
func splitCommas(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, r := range s {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',', '，', '、':
			if depth <= 0 {
				out = append(out, s[from:i])
				from = i + len(string(r))
			}
		}
	}
	if depth > 0 { // a bracket that nobody closed
		return trimmedLines(strings.Split(s, ","))
	}
	return trimmedLines(append(out, s[from:]))
}

var bullet = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*•+]|[0-9]{1,3}[.)])\s+`) })

func sentences(text string) (out []string) {
	if strings.Contains(text, "```") {
		return trimmedLines([]string{text})
	}
	apart := false // an empty line came before this one
	for line := range strings.SplitSeq(text, "\n") {
		s := strings.TrimSpace(line)
		mark := bullet().FindString(s)
		switch indent := len(line) - len(strings.TrimLeft(line, " \t")); {
		case s == "":
			apart = true
			continue
		case indent >= 2 && mark == "" && len(out) > 0 && !apart:
			out[len(out)-1] += "\n" + s
		default:
			out = append(out, s[len(mark):])
		}
		apart = false
	}
	return out
}

// sourceKeys are the keys that a source written in pairs may have.
var sourceKeys = []string{"id", "type", "identifier", "credibility", "take", "core_take", "relation"}

// ParseSource reads a source that was written in one line:
//
//	id:type:relation:take         type and relation are words, or nothing
//	id=..;type=..;take=..         pairs, of which values may hold semicolons
//	[+] name: take                as a brief prints it
//	name: take
//	name
//
// Whether words are allowed is for [validate.Checkpoint] to say. An error is a line
// that says nothing, or that has words of types and relations but not all four parts.
func ParseSource(line string) (sage.Source, error) {
	line = strings.TrimSpace(line)
	if key, _, ok := strings.Cut(line, "="); ok && slices.Contains(sourceKeys, strings.TrimSpace(key)) {
		return sourceOfPairs(pairs(line, sourceKeys)), nil
	}
	if strings.Trim(line, ": ") == "" {
		return sage.Source{}, errors.New("a source is empty: want a name, or id:type:relation:take")
	}
	if p := strings.SplitN(line, ":", 4); len(p) > 2 {
		typed, related := isWordOf("sources.type", p[1]), isWordOf("sources.relation", p[2])
		tight := lowerWord().MatchString(p[1] + p[2])
		switch {
		case len(p) == 4 && (typed || related || tight):
			for i := range p {
				p[i] = strings.TrimSpace(p[i])
			}
			return sage.Source{ID: p[0], Type: p[1], Relation: p[2], Take: p[3]}, nil
		case tight && (typed || related):
			return sage.Source{}, fmt.Errorf("source '%s' lacks a part: want id:type:relation:take, or a name alone", legible.Visible(cut.Runes(line, 60)))
		}
	}
	var s sage.Source
	if m := briefMark().FindStringSubmatch(line); m != nil {
		s.Relation, line = relationOf(m[1]), m[2]
	}
	s.ID = line
	if name, take, ok := strings.Cut(line, ": "); ok && strings.TrimSpace(name) != "" {
		s.ID, s.Take = strings.TrimSpace(name), strings.TrimSpace(take)
	}
	return s, nil
}

var (
	lowerWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_-]*$`) })
	briefMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[([-+~ ])\] +(\S.*)$`) })
)

func isWordOf(field, s string) bool {
	return slices.Contains(sage.WordSets()[field], strings.ToLower(strings.TrimSpace(s)))
}

// relationOf is the relation that a brief marks so; "" for none.
func relationOf(sign string) string {
	for word, mark := range RelationMarks {
		if strings.HasPrefix(mark, "["+sign+"]") {
			return word
		}
	}
	return ""
}

func sourceOfPairs(m map[string]string) sage.Source {
	take := m["take"]
	if take == "" {
		take = m["core_take"]
	}
	return sage.Source{
		ID: m["id"], Type: m["type"], Identifier: m["identifier"],
		Credibility: m["credibility"], Take: take, Relation: m["relation"],
	}
}

// pairs splits "k=v;k=v" at those semicolons that a known key follows.
func pairs(s string, keys []string) map[string]string {
	m, last := map[string]string{}, ""
	for piece := range strings.SplitSeq(s, ";") {
		k, v, ok := strings.Cut(piece, "=")
		k = strings.TrimSpace(k)
		if ok && slices.Contains(keys, k) {
			m[k], last = strings.TrimSpace(v), k
		} else if last != "" {
			m[last] += ";" + piece
		}
	}
	return m
}

var (
	resolutionAtEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?s:(.*?))\s*\[([A-Za-z_]+)\]\s*$`) })
	versus          = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\s+vs\.?\s+`) })
)

// ParseTension reads "a vs b: nature [resolution]"; without a resolution the tension
// is unresolved. A line that names no two sides is its nature.
func ParseTension(line string) sage.Tension {
	between, nature, ok := strings.Cut(line, ": ")
	t := sage.Tension{Between: splitVersus(between), Nature: nature, Resolution: "unresolved"}
	if !ok || len(t.Between) < 2 {
		t.Between, t.Nature = nil, line
	}
	t.Nature = strings.TrimSpace(t.Nature)
	if m := resolutionAtEnd().FindStringSubmatch(t.Nature); m != nil {
		t.Nature, t.Resolution = strings.TrimSpace(m[1]), m[2]
	}
	return t
}

func splitVersus(s string) []string { return trimmedLines(versus().Split(s, -1)) }

// ParseContribution reads "type: content". A line that begins with no type is a
// discovery, the commonest of them.
func ParseContribution(line string) sage.Contribution {
	kind, content, ok := strings.Cut(line, ":")
	kind = strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(strings.TrimSpace(kind)))
	if ok && isWordOf("unique_contributions.type", kind) {
		return sage.Contribution{Type: kind, Content: strings.TrimSpace(content)}
	}
	return sage.Contribution{Type: "discovery", Content: strings.TrimSpace(line)}
}

var relevanceAtEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`:[0-9]+(?:-[0-9]+)?:([^:/]*)$`) })

var linesAtEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.+):([0-9]+)(?:-([0-9]+))?$`) })

// ParseCodeRef reads "file", "file:line" or "file:from-to", each with an optional
// ":relevance" behind it.
func ParseCodeRef(line string) (sage.CodeRef, error) {
	var r sage.CodeRef
	if i := strings.LastIndexByte(line, ':'); i >= 0 && slices.Contains(sage.WordSets()["code_refs.relevance"], line[i+1:]) {
		line, r.Relevance = line[:i], line[i+1:]
	} else if m := relevanceAtEnd().FindStringSubmatch(line); m != nil {
		return r, fmt.Errorf("code reference '%s': relevance: want one of %s, have '%s'", legible.Visible(cut.Runes(line, 60)), strings.Join(sage.WordSets()["code_refs.relevance"], ", "), legible.Visible(cut.Runes(m[1], 40)))
	}
	r.File = line
	if m := linesAtEnd().FindStringSubmatch(line); m != nil {
		r.File = m[1]
		r.Lines[0], _ = strconv.Atoi(m[2])
		r.Lines[1] = r.Lines[0]
		if m[3] != "" {
			r.Lines[1], _ = strconv.Atoi(m[3])
		}
		if r.Lines[0] < 1 || r.Lines[1] < r.Lines[0] {
			return r, fmt.Errorf("code reference '%s': lines count from 1, the first not after the last", legible.Visible(cut.Runes(line, 60)))
		}
	}
	if r.File == "" {
		return r, fmt.Errorf("code reference '%s' is not file:from-to[:relevance]", legible.Visible(cut.Runes(line, 60)))
	}
	r.File = filepath.ToSlash(r.File)
	return r, nil
}

var RelationMarks = map[string]string{"supports": "[+] ", "contradicts": "[-] ", "nuances": "[~] "}

// ErrShare says what [ParseShare] takes.
var ErrShare = errors.New("want a number from 0 to 1, or a percentage such as 80%")

// ParseShare reads a share of the whole as people write it: .8, 80% or 80. A number from 2 to
// 9 may be a grade as well, and is refused.
func ParseShare(s string) (float64, error) {
	text, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err == nil && (percent || f >= 10 && f <= 100) {
		f /= 100
	}
	if err != nil || !(f >= 0 && f <= 1) {
		return 0, fmt.Errorf("%w, have '%s'", ErrShare, legible.Visible(s))
	}
	return f, nil
}

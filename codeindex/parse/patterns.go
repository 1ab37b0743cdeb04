package parse

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Languages without a grammar are read by patterns for their lines, at 20 MB/s or more
// (BenchmarkPatterns). The file patterns/<language> describes one, a line each:
//
//	files    .zig build.zig    extensions and names of its files
//	run      zig               its interpreters
//	comment  //                begins a comment that ends with its line
//	block    /* */ nested      a comment; nested if it can hold others
//	string   " " \ lines       a string, its escape sign (- for none); lines if it may go on,
//	                           apart if it follows no name or bracket
//	char     '                 a quote of single characters, and something else elsewhere
//	literal  #\                the next character means nothing
//	plain    $#                is code, and no such sign
//	heredoc  <<                what follows, up to the line of the word that it names
//	name     [\w-]+            what NAME stands for
//	keywords if while          what no name can be
//	calls    ( ()              a name that is called stands before, or (x behind a bracket
//	newline                    a declaration ends with its line, not with a semicolon
//
// Before the sign of a comment or string, ^ means that it is the first of its line, and |
// that it stands at the margin. Other lines are rules:
//
//	function braces top ~ (?:pub )?fn NAME
//
// A rule has a kind, or is an import, a prefix, which belongs to the definition that
// follows, or none, which keeps later rules from the line. Its expression applies from the first character of a line that is neither
// white space nor comment, with blanks for what is in strings. OF names a qualifier. The
// words between say where the definition ends:
//
//	braces   with the bracket that follows the name, or the expression (past); body if
//	         there must be one
//	group    with the first bracket of its line
//	indent   before the next line that is not indented deeper; more=X for lines that
//	         begin with X, which may be indented as deep
//	end=X    with a line that begins with X, not indented deeper
//	until=X  with that sign, outside of brackets
//	next     with the next one, of a level as high (level=2)
//	line     with its line, which is the rule
//
// and where it may be: top for not in a function, margin for not indented, depth=1 for in
// so many brackets, in=class|struct for in these kinds. A rule that holds others need not
// be less indented than they are. Definitions of the same name that merge are one.
type patterns struct {
	language string
	signs    [256][]sign // by their first byte
	heredoc  string
	word     string // regular expression
	name     [256]bool
	reserved map[string]bool
	calls    string
	newline  bool
	rules    []pattern
}

// A sign begins what is no code.
type sign struct {
	kind          signKind
	open, close   string
	place         byte // '^' the first of its line, '|' at the margin
	escape        byte
	lines, nested bool
	apart         bool // it follows no name or bracket
}

type signKind int

const (
	signComment signKind = iota
	signBlock
	signString
	signChar
	signLiteral
	signPlain
)

// A pattern is a rule.
type pattern struct {
	kind                              Kind // or import, prefix, none
	exp                               *regexp.Regexp
	needs                             []string // one of these is in each line that applies; nil if unknown
	name, of                          int      // groups
	end                               ending
	closer, more                      *regexp.Regexp
	until                             byte
	level, depth                      int
	in                                []Kind
	top, margin, holds, body, merging bool
	past, folds                       bool // folds: case is ignored
}

type ending int

const (
	endLine ending = iota
	endBraces
	endGroup
	endIndent
	endCloser
	endUntil
	endNext
)

//go:embed patterns
var patternFiles embed.FS

// patternIndex maps extensions, names of files and interpreters to languages that are read
// by patterns.
type patternIndex struct {
	files, interpreters map[string]string
	languages           []string
	read                map[string]func() *patterns
}

var patternLanguages = sync.OnceValue(func() *patternIndex {
	x := &patternIndex{map[string]string{}, map[string]string{}, nil, map[string]func() *patterns{}}
	entries, _ := patternFiles.ReadDir("patterns")
	for _, e := range entries {
		l := e.Name()
		data, _ := patternFiles.ReadFile("patterns/" + l)
		text := string(data)
		x.languages = append(x.languages, l)
		x.read[l] = sync.OnceValue(func() *patterns { return newPatterns(l, text) })
		for line := range strings.Lines(text) {
			if words := strings.Fields(line); len(words) > 0 && words[0] == "files" {
				for _, w := range words[1:] {
					x.files[w] = l
				}
			} else if len(words) > 0 && words[0] == "run" {
				for _, w := range words[1:] {
					x.interpreters[w] = l
				}
			}
		}
	}
	return x
})

// detect names the language of a file, if it is read by patterns.
func (x *patternIndex) detect(base string) string {
	if l := x.files[base]; l != "" {
		return l
	}
	return x.files[strings.ToLower(path.Ext(base))]
}

// patternsOf returns the patterns of a language, nil if it has none.
func patternsOf(language string) *patterns {
	if read := patternLanguages().read[language]; read != nil {
		return read()
	}
	return nil
}

var (
	nameInRule      = regexp.MustCompile(`\bNAME\b`)
	qualifierInRule = regexp.MustCompile(`\bOF\b`)
)

const defaultWord = `[\pL_][\pL\pN_]*`

// notCalled are words that stand before a bracket without a call, and name methods elsewhere.
var notCalled = map[string]bool{
	"and": true, "assert": true, "await": true, "defined": true, "delete": true, "do": true, "in": true, "is": true,
	"match": true, "new": true, "not": true, "or": true, "raise": true, "sizeof": true, "throw": true, "typeof": true,
	"with": true, "yield": true,
}

// newPatterns reads the description of a language. It panics at a fault in it, as
// regexp.MustCompile does: descriptions are part of the program.
func newPatterns(language, text string) *patterns {
	p := &patterns{language: language, word: defaultWord, reserved: map[string]bool{}}
	for _, k := range strings.Fields("if else elif elseif for foreach while until switch case when return catch") {
		p.reserved[k] = true
	}
	var rules []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		words := strings.Fields(line)
		if len(words) == 0 || line[0] == '#' {
			continue
		}
		if strings.Contains(line, " ~ ") {
			rules = append(rules, line)
			continue
		}
		if err := p.directive(words[0], words[1:]); err != nil {
			panic(fmt.Sprintf("patterns of %s: %s: %v", language, line, err))
		}
	}
	word := regexp.MustCompile(`^(?:` + p.word + `)$`)
	for c := range p.name {
		p.name[c] = c >= 0x80 || word.Match([]byte{'a', byte(c)})
	}
	for _, line := range rules {
		r, err := p.rule(line)
		if err != nil {
			panic(fmt.Sprintf("patterns of %s: %s: %v", language, line, err))
		}
		p.rules = append(p.rules, r)
	}
	return p
}

func (p *patterns) directive(key string, args []string) error {
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	flag := func(name string) bool { return slices.Contains(args, name) }
	switch key {
	case "files", "run":
	case "comment":
		for _, a := range args {
			p.addSign(sign{kind: signComment, open: a})
		}
	case "block":
		p.addSign(sign{kind: signBlock, open: arg(0), close: arg(1), nested: flag("nested")})
	case "string":
		s := sign{kind: signString, open: arg(0), close: arg(1), lines: flag("lines"), apart: flag("apart")}
		if e := arg(2); e != "-" && e != "" {
			s.escape = e[0]
		}
		p.addSign(s)
	case "char":
		p.addSign(sign{kind: signChar, open: arg(0)})
	case "literal":
		for _, a := range args {
			p.addSign(sign{kind: signLiteral, open: a})
		}
	case "plain":
		for _, a := range args {
			p.addSign(sign{kind: signPlain, open: a})
		}
	case "heredoc":
		p.heredoc = arg(0)
	case "name":
		p.word = arg(0)
	case "keywords":
		for _, a := range args {
			p.reserved[a] = true
		}
	case "calls":
		p.calls = arg(0)
	case "newline":
		p.newline = true
	default:
		return fmt.Errorf("unknown word %q", key)
	}
	return nil
}

// addSign adds a sign; of those with the same first byte, the longest is tried first.
func (p *patterns) addSign(s sign) {
	if len(s.open) > 1 && (s.open[0] == '^' || s.open[0] == '|' && s.open[1] != '|') {
		s.place, s.open = s.open[0], s.open[1:]
		s.close = strings.TrimLeft(s.close, "^|")
	}
	list := append(p.signs[s.open[0]], s)
	slices.SortStableFunc(list, func(a, b sign) int { return len(b.open) - len(a.open) })
	p.signs[s.open[0]] = list
}

func (p *patterns) rule(line string) (r pattern, err error) {
	head, exp, _ := strings.Cut(line, " ~ ")
	words := strings.Fields(head)
	r.kind, r.depth = Kind(words[0]), -1
	if !slices.Contains(kinds[:], r.kind) && r.kind != "import" && r.kind != "prefix" && r.kind != "none" {
		return r, fmt.Errorf("unknown kind %q", r.kind)
	}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "line":
			r.end = endLine
		case "braces":
			r.end = endBraces
		case "group":
			r.end = endGroup
		case "indent":
			r.end = endIndent
		case "next":
			r.end = endNext
		case "end":
			r.end = endCloser
			if r.closer, err = regexp.Compile(`^(?:` + value + `)`); err != nil {
				return r, err
			}
		case "more":
			if r.more, err = regexp.Compile(`^(?:` + value + `)`); err != nil {
				return r, err
			}
		case "until":
			r.end, r.until = endUntil, value[0]
		case "level":
			r.level, err = strconv.Atoi(value)
		case "depth":
			r.depth, err = strconv.Atoi(value)
		case "in":
			for k := range strings.SplitSeq(value, "|") {
				r.in = append(r.in, Kind(k))
			}
		case "top":
			r.top = true
		case "margin":
			r.margin = true
		case "holds":
			r.holds = true
		case "body":
			r.body = true
		case "past":
			r.past = true
		case "merge":
			r.merging = true
		default:
			err = fmt.Errorf("unknown word %q", w)
		}
		if err != nil {
			return r, err
		}
	}
	exp = nameInRule.ReplaceAllLiteralString(strings.TrimSpace(exp), `(?P<name>`+p.word+`)`)
	exp = qualifierInRule.ReplaceAllLiteralString(exp, `(?P<of>`+p.word+`)`)
	if r.exp, err = regexp.Compile(`^(?:` + exp + `)`); err != nil {
		return r, err
	}
	r.name, r.of = r.exp.SubexpIndex("name"), r.exp.SubexpIndex("of")
	if r.name < 0 && r.kind != "prefix" && r.kind != "none" {
		return r, fmt.Errorf("no name")
	}
	r.needs, r.folds = needed(exp), strings.Contains(exp, "(?i)")
	return r, nil
}

// Package patterns describes languages that have no grammar: what is a comment or a string
// in them, and which lines begin a definition. A file in languages describes one, a line
// each:
//
//	files    .zig build.zig    extensions and names of its files
//	run      zig               its interpreters
//	comment  //                begins a comment that ends with its line
//	block    /* */ nested      a comment; nested if it can hold others
//	string   " " \ lines       a string, its escape sign (- for none); lines if it may go on,
//	                           apart if it follows no name or bracket
//	char     '                 a quote of single characters, and something else elsewhere
//	         [= ]=             one whose signs hold as many =
//	literal  #\                the next character means nothing
//	plain    $#                is code, and no such sign
//	heredoc  << blank          what follows, up to the line of the word that it names, which
//	                           may stand behind a blank
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
//	         there must be one; second with the second pair of two
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
// be less indented than they are. Where OF is a package, a function is no method. Definitions
// of the same name that merge are one.
package patterns

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

// A Set is what the patterns of a language say.
type Set struct {
	Language string
	signs    [256][]sign // by their first byte
	heredoc  string
	before   string    // what may stand between the sign and the word
	word     string    // regular expression
	Name     [256]bool // bytes of names
	Reserved map[string]bool
	Calls    string
	Newline  bool
	Rules    []Rule
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

// A Rule finds one kind of definition.
type Rule struct {
	Kind         string // or import, prefix, none
	End          Ending
	Closer, More *regexp.Regexp
	Until        byte
	Level, Depth int
	In           []string
	Top, Margin  bool
	Holds, Body  bool
	Merge, Past  bool
	Second       bool
	Package      bool

	exp      *regexp.Regexp
	name, of int      // groups
	needs    []string // one of these is in each line that applies; nil if unknown
	folds    bool     // case is ignored
	keyed    bool     // a word before the name tells what it is: reserved words can be names
}

// An Ending says how the end of a definition is found.
type Ending int

const (
	Itself Ending = iota // its line
	Braces
	Group
	Indent
	Closer
	Until
	Next
)

//go:embed languages
var files embed.FS

// An index maps extensions, names of files and interpreters to languages that are read
// by patterns.
type index struct {
	files, interpreters map[string]string
	languages           []string
	read                map[string]func() *Set
}

var all = sync.OnceValue(func() *index {
	x := &index{map[string]string{}, map[string]string{}, nil, map[string]func() *Set{}}
	entries, _ := files.ReadDir("languages")
	for _, e := range entries {
		l := e.Name()
		data, _ := files.ReadFile("languages/" + l)
		text := string(data)
		x.languages = append(x.languages, l)
		x.read[l] = sync.OnceValue(func() *Set { return newSet(l, text) })
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
func (x *index) detect(base string) string {
	if l := x.files[base]; l != "" {
		return l
	}
	return x.files[strings.ToLower(path.Ext(base))]
}

// Languages returns the languages that have patterns, sorted.
func Languages() []string { return all().languages }

// Interpreter names the language that an interpreter runs; "" if it has no patterns.
func Interpreter(name string) string { return all().interpreters[name] }

// Files returns the extensions and names of a language's files, sorted.
func Files(language string) (names []string) {
	for name, l := range all().files {
		if l == language {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Of returns the patterns of a language, nil if it has none.
func Of(language string) *Set {
	if read := all().read[language]; read != nil {
		return read()
	}
	return nil
}

func isWord(s string) bool { return len(s) > 1 && s[0] >= 'a' && s[0] <= 'z' }

var (
	nameInRule      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bNAME\b`) })
	qualifierInRule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bOF\b`) })
)

const defaultWord = `[\pL_][\pL\pN_]*`

// newSet reads the description of a language. It panics at a fault in it, as
// regexp.MustCompile does: descriptions are part of the program.
func newSet(language, text string) *Set {
	p := &Set{Language: language, word: defaultWord, Reserved: map[string]bool{}}
	for _, k := range strings.Fields("if else elif elseif for foreach while until switch case when return catch") {
		p.Reserved[k] = true
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
	for c := range p.Name {
		p.Name[c] = c >= 0x80 || word.Match([]byte{'a', byte(c)})
	}
	for _, line := range rules {
		r, err := p.rule(line)
		if err != nil {
			panic(fmt.Sprintf("patterns of %s: %s: %v", language, line, err))
		}
		p.Rules = append(p.Rules, r)
	}
	return p
}

func (p *Set) directive(key string, args []string) error {
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
		p.heredoc, p.before = arg(0), "~-"
		if flag("blank") {
			p.before = " "
		}
	case "name":
		p.word = arg(0)
	case "keywords":
		for _, a := range args {
			p.Reserved[a] = true
		}
	case "calls":
		p.Calls = arg(0)
	case "newline":
		p.Newline = true
	default:
		return fmt.Errorf("unknown word %q", key)
	}
	return nil
}

// addSign adds a sign; of those with the same first byte, the longest is tried first.
func (p *Set) addSign(s sign) {
	if len(s.open) > 1 && (s.open[0] == '^' || s.open[0] == '|' && s.open[1] != '|') {
		s.place, s.open = s.open[0], s.open[1:]
		s.close = strings.TrimLeft(s.close, "^|")
	}
	list := append(p.signs[s.open[0]], s)
	slices.SortStableFunc(list, func(a, b sign) int { return len(b.open) - len(a.open) })
	p.signs[s.open[0]] = list
}

func (p *Set) rule(line string) (r Rule, err error) {
	head, exp, _ := strings.Cut(line, " ~ ")
	words := strings.Fields(head)
	r.Kind, r.Depth = words[0], -1
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "line":
			r.End = Itself
		case "braces":
			r.End = Braces
		case "group":
			r.End = Group
		case "indent":
			r.End = Indent
		case "next":
			r.End = Next
		case "end":
			r.End = Closer
			if r.Closer, err = regexp.Compile(`^(?:` + value + `)`); err != nil {
				return r, err
			}
		case "more":
			if r.More, err = regexp.Compile(`^(?:` + value + `)`); err != nil {
				return r, err
			}
		case "until":
			r.End, r.Until = Until, value[0]
		case "level":
			r.Level, err = strconv.Atoi(value)
		case "depth":
			r.Depth, err = strconv.Atoi(value)
		case "in":
			r.In = strings.Split(value, "|")
		case "top":
			r.Top = true
		case "margin":
			r.Margin = true
		case "holds":
			r.Holds = true
		case "body":
			r.Body = true
		case "package":
			r.Package = true
		case "second":
			r.Second = true
		case "past":
			r.Past = true
		case "merge":
			r.Merge = true
		default:
			err = fmt.Errorf("unknown word %q", w)
		}
		if err != nil {
			return r, err
		}
	}
	exp = nameInRule().ReplaceAllLiteralString(strings.TrimSpace(exp), `(?P<name>`+p.word+`)`)
	exp = qualifierInRule().ReplaceAllLiteralString(exp, `(?P<of>`+p.word+`)`)
	if r.exp, err = regexp.Compile(`^(?:` + exp + `)`); err != nil {
		return r, err
	}
	r.name, r.of = r.exp.SubexpIndex("name"), r.exp.SubexpIndex("of")
	if r.name < 0 && r.Kind != "prefix" && r.Kind != "none" {
		return r, fmt.Errorf("no name")
	}
	before, _, _ := strings.Cut(exp, "(?P<name>")
	r.keyed = slices.ContainsFunc(needed(before), isWord)
	r.needs, r.folds = needed(exp), strings.Contains(exp, "(?i)")
	return r, nil
}

// Package act puts what an agent does as a question to the memory: what it looks for, the
// file that it changes, the command that it runs, the error that came of it.
package act

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/hooks/transcript"
	"github.com/git-sage/git-sage/prose"
	"github.com/git-sage/git-sage/prose/cut"
	"github.com/git-sage/git-sage/recall/rank"
)

// A Call is one of a tool, as the client tells it.
type Call struct {
	File    string // that is changed, from the root of the work tree
	Pattern string // that is looked for
	Command string // for the shell
	Error   string // that it ended with; its command was asked about before it ran
}

const (
	mostSteps = 4   // of a shell line
	mostLines = 4   // of an error
	mostPaths = 4   // of a command
	longest   = 300 // bytes of a question
)

// Asks are the questions of a call, the most telling first; none of what only looks around.
func (c Call) Asks() (out []rank.Act) {
	switch {
	case c.Error != "":
		for _, l := range failing(c.Error) {
			out = append(out, question(l))
		}
	case c.File != "":
		out = append(out, question(strings.Join(append([]string{c.File}, foldersOf(c.File)...), " ")))
	case c.Pattern != "":
		out = append(out, search(c.Pattern))
	case c.Command != "":
		for _, s := range transcript.Steps(c.Command, mostSteps) {
			out = append(out, step(s)...)
		}
	}
	return slices.DeleteFunc(out, func(a rank.Act) bool { return strings.TrimSpace(a.Text) == "" })
}

// foldersOf are the folders of a file that have a name of several parts: an item that names
// services/edi means what is below it.
func foldersOf(file string) (out []string) {
	for dir := path.Dir(file); strings.Contains(dir, "/"); dir = path.Dir(dir) {
		out = append(out, dir)
	}
	return out
}

func question(text string) rank.Act {
	return rank.Act{Text: strings.ToValidUTF8(cut.Bytes(text, longest), "")}
}

var (
	classes  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\[bBsSwWdDAzZ]|\[\^?[^\]]*\]|\(\?[a-zA-Z:=!<]+`) })
	operator = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\\^$*+?(){}|]+`) })
)

// search is what a pattern looks for, without what is the pattern's own.
func search(pattern string) rank.Act {
	text := classes().ReplaceAllString(pattern, " ")
	text = strings.ReplaceAll(text, `\.`, ".")
	a := question(operator().ReplaceAllString(text, " "))
	a.Whole = true
	return a
}

// looks are programs that only look around, or of whose arguments nothing is known.
var looks = prose.WordSet(`ls cat cd pwd echo printf head tail less more bat wc sleep true false sort uniq which type
	export set unset test [ find xargs mkdir touch chmod date jq diff tree stat file du df ps id whoami hostname
	kill wait read return exit source . tr cut paste column fold nl env history clear man open`)

// step is what a command asks: all of it, and the program with what it is told to do alone,
// since arguments are many, and most say nothing.
func step(s transcript.Step) (out []rank.Act) {
	switch {
	case s.Search != "":
		return append(out, search(s.Search))
	case looks()[s.Program] || sifts(s):
		return nil
	}
	words, head := []string{s.Program}, 2
	var paths []string
	for i, arg := range s.Args {
		if s.Program == "git" && i == 0 && gitLooks()[arg] {
			return nil
		}
		if strings.HasPrefix(arg, "-") && len(arg) < 4 {
			continue
		}
		words = append(words, meant(s.Program, arg, i))
		if s.Program == "git" && i == 0 && gitNames()[arg] {
			break
		}
		if len(paths) < mostPaths && pathLike().MatchString(arg) {
			paths = append(paths, arg)
		}
	}
	if len(words) > head && verb().MatchString(words[1]) {
		out = append(out, question(strings.Join(words[:head], " ")))
	}
	all := question(strings.Join(words, " "))
	all.Paths = paths
	return append(append(out, all), packages(s)...)
}

// gitLooks are commands of git that only look around, gitNames those whose messages and
// names are no question.
var (
	gitLooks = prose.WordSet("log show diff status blame reflog ls-files rev-parse")
	gitNames = prose.WordSet("commit add tag branch checkout switch stash")
)

// pathLike is an argument that names a file or a folder.
var pathLike = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w.@+~-]*(?:/[\w.@+~-]*)+$|^[\w-]+\.[a-z]{1,5}$`) })

// verb is what a program is told to do.
var verb = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z-]+$`) })

// sifts reports whether a command prints what it is given, changed: sed without -i, awk.
func sifts(s transcript.Step) bool {
	switch s.Program {
	case "awk":
		return true
	case "sed":
		return !slices.ContainsFunc(s.Args, func(a string) bool { return strings.HasPrefix(a, "-i") || a == "--in-place" })
	}
	return false
}

// meant is an argument in the words that people use for it: installers take short names for
// what they do.
func meant(program, arg string, i int) string {
	if i > 0 || !slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, program) {
		return arg
	}
	switch arg {
	case "i", "in":
		return "install"
	case "add":
		return "install add"
	case "rm":
		return "uninstall remove"
	case "un":
		return "uninstall"
	case "up":
		return "update"
	case "t":
		return "test"
	}
	return arg
}

var (
	colour = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]") })
	wrong  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)error|fatal|fail|cannot|can't|could ?n[o']t|denied|declined|invalid|refused|exception|panic|unable|missing|expired|unexpected|too many|not (?:found|allowed|supported|permitted)|no such|mismatch|timed? ?out|killed|exceeded|already|conflict|undefined`)
	})
	status = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^Exit code \d+$`) })
)

// failing are the lines of an error that say what is wrong, else its last.
func failing(text string) (out []string) {
	var rest []string
	for l := range strings.Lines(colour().ReplaceAllString(text, "")) {
		l = strings.TrimSpace(l)
		switch {
		case l == "" || status().MatchString(l):
		case wrong().MatchString(l) && len(out) < mostLines:
			out = append(out, l)
		default:
			rest = append(rest, l)
		}
	}
	if n := mostLines - len(out); n > 0 {
		out = append(out, rest[max(0, len(rest)-n):]...)
	}
	return out
}

package transcript

import (
	"path"
	"strconv"
	"strings"

	"github.com/git-sage/git-sage/prose"
)

// notPrograms stand before the program of a command, which they do not change.
var notPrograms = prose.WordSet("! time command env nohup exec sudo builtin")

// program is what a command runs, by its base name, and with what; "" if that is not
// plain.
func (c command) program() (string, []word) {
	for i, w := range c.words {
		if notPrograms()[w.text] || assigns(w.text) {
			continue
		}
		if !w.plain {
			return "", nil
		}
		return path.Base(w.text), c.words[i+1:]
	}
	return "", nil
}

// assigns reports whether a word is KEY=value.
func assigns(s string) bool {
	key, _, ok := strings.Cut(s, "=")
	return ok && key != "" && strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// operands are the arguments that are no options. Those of valued, letters or --names,
// take the next word for theirs. option is told each, and its value if it has one; some
// letters may come together.
func operands(args []word, valued string, option func(name string, value word)) (rest []word) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.text == "--":
			return append(rest, args[i+1:]...)
		case len(a.text) < 2 || a.text[0] != '-' || !a.plain && a.text[1] == '-':
			rest = append(rest, a)
		default:
			name, value, attached := splitOption(a, valued)
			if !attached && takes(name, valued) && i+1 < len(args) {
				i++
				value = args[i]
			}
			option(name, value)
			if !attached && name != a.text { // what else is in -rne
				option(a.text, word{})
			}
		}
	}
	return rest
}

// splitOption takes a value off its option: --name=value, -n20.
func splitOption(a word, valued string) (name string, value word, attached bool) {
	if strings.HasPrefix(a.text, "--") {
		name, v, ok := strings.Cut(a.text, "=")
		return name, word{v, a.plain}, ok
	}
	for i := 1; i < len(a.text)-1; i++ {
		if takes("-"+a.text[i:i+1], valued) {
			return "-" + a.text[i:i+1], word{a.text[i+1:], a.plain}, true
		}
	}
	if last := "-" + a.text[len(a.text)-1:]; takes(last, valued) { // -rne pattern
		return last, word{}, false
	}
	return a.text, word{}, false
}

// takes reports whether an option takes a value.
func takes(name, valued string) bool {
	for v := range strings.FieldsSeq(valued) {
		if v == name {
			return true
		}
	}
	return false
}

// lineCount is the number in a text such as 20, -20 or +20; 0 for anything else.
func lineCount(s string) int {
	n, err := strconv.Atoi(strings.TrimLeft(s, "+-"))
	if err != nil || n < 0 || n > 1<<30 {
		return 0
	}
	return n
}

// fileLike guesses that a path is of a file and not of a folder: it has an extension.
func fileLike(name string) bool {
	base := path.Base(name)
	return strings.Trim(base, ".") != "" && path.Ext(strings.TrimLeft(base, ".")) != ""
}

func ignore(string, word) {}

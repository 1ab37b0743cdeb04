package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose"
)

// notPrograms stand before the program of a command, which they do not change.
var notPrograms = prose.WordSet("! time command env nohup exec sudo builtin")

// Program is what a command runs, by its base name, and with what; "" if that is not
// plain.
func (c Command) Program() (string, []Word) {
	for i, w := range c.Words {
		if notPrograms()[w.Text] || assigns(w.Text) {
			continue
		}
		if !w.Plain {
			return "", nil
		}
		return path.Base(w.Text), c.Words[i+1:]
	}
	return "", nil
}

// assigns reports whether a word is KEY=value.
func assigns(s string) bool {
	key, _, ok := strings.Cut(s, "=")
	return ok && key != "" && strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// Operands are the arguments that are no options. Those of valued, letters or --names,
// take the next word for theirs. option is told each, and its value if it has one; some
// letters may come together.
func Operands(args []Word, valued string, option func(name string, value Word)) (rest []Word) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.Text == "--":
			return append(rest, args[i+1:]...)
		case len(a.Text) < 2 || a.Text[0] != '-' || !a.Plain && a.Text[1] == '-':
			rest = append(rest, a)
		default:
			name, value, attached := splitOption(a, valued)
			if !attached && TakesValue(name, valued) && i+1 < len(args) {
				i++
				value = args[i]
			}
			option(name, value)
			if !attached && name != a.Text { // what else is in -rne
				option(a.Text, Word{})
			}
		}
	}
	return rest
}

// splitOption takes a value off its option: --name=value, -n20.
func splitOption(a Word, valued string) (name string, value Word, attached bool) {
	if strings.HasPrefix(a.Text, "--") {
		name, v, ok := strings.Cut(a.Text, "=")
		return name, Word{v, a.Plain}, ok
	}
	for i := 1; i < len(a.Text)-1; i++ {
		if TakesValue("-"+a.Text[i:i+1], valued) {
			return "-" + a.Text[i:i+1], Word{a.Text[i+1:], a.Plain}, true
		}
	}
	if last := "-" + a.Text[len(a.Text)-1:]; TakesValue(last, valued) { // -rne pattern
		return last, Word{}, false
	}
	return a.Text, Word{}, false
}

// TakesValue reports whether an option takes a value.
func TakesValue(name, valued string) bool {
	for v := range strings.FieldsSeq(valued) {
		if v == name {
			return true
		}
	}
	return false
}

// IgnoreOption is for who wants the operands alone.
func IgnoreOption(string, Word) {}

// Environment are the variables that a command sets for its program, in one order.
func (c Command) Environment() string {
	var list []string
	for _, w := range c.Words {
		if assigns(w.Text) {
			list = append(list, w.Text)
		} else if !notPrograms()[w.Text] {
			break
		}
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

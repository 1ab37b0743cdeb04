package attempt

import (
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/shell"
	"github.com/git-sage/git-sage/prose"
)

const (
	maxTries  = 6
	mostNamed = 3
)

// Tries names what the commands of a line try, with the arguments left out that only say to what:
// "npm run lint", "kubectl apply". What reads what another one prints tries nothing, as tail.
func Tries(cmds []shell.Command, hide Hide) (out []string) {
	for _, c := range cmds {
		name, args := c.Program()
		if name == "" || notTried()[name] || c.Fed || len(out) == maxTries {
			continue
		}
		out = append(out, try(c, name, args, hide))
	}
	return out
}

func try(c shell.Command, name string, args []shell.Word, hide Hide) string {
	if x, ok := testCheck(name, args, hide); ok {
		return strings.TrimSpace(c.Environment() + " " + x.Run)
	}
	words := []string{name}
	for _, w := range args {
		if w.Text == "" || !w.Plain || w.Text[0] == '-' {
			continue
		}
		if !strings.ContainsAny(w.Text, "/.=:") || len(words) == 1 && scripted()[strings.TrimRight(name, "0123456789.")] {
			words = append(words, path.Base(w.Text))
		}
		if len(words) == mostNamed || len(words) == 2 && !runs()[words[1]] {
			break
		}
	}
	return hide(strings.TrimSpace(c.Environment()+" "+strings.Join(words, " ")), maxRun)
}

// scripted are programs that run what they are given: another script is another thing.
var scripted = prose.WordSet(`python py node bun deno ruby perl php bash sh zsh java Rscript lua pwsh source`)

// runs are words behind a program that say nothing but that it is to run what follows.
var runs = prose.WordSet(`run exec compose tool`)

// Undoes reports whether a line takes changes back.
func Undoes(cmds []shell.Command) bool {
	return slices.ContainsFunc(cmds, func(c shell.Command) bool {
		name, args := c.Program()
		if name != "git" || len(args) == 0 {
			return false
		}
		has := func(words ...string) bool {
			return slices.ContainsFunc(args[1:], func(w shell.Word) bool { return slices.Contains(words, w.Text) })
		}
		switch args[0].Text {
		case "revert", "restore":
			return !has("--staged")
		case "reset":
			return has("--hard")
		case "checkout":
			return has("--", ".")
		case "stash":
			return !has("pop", "apply", "list", "show", "drop")
		}
		return false
	})
}

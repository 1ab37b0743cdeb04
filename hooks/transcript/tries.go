package transcript

import (
	"path"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/prose"
)

const (
	maxTries  = 6
	mostNamed = 3
)

// tries names what the commands of a line try, with the arguments left out that only say to what:
// "npm run lint", "kubectl apply". What reads what another one prints tries nothing, as tail.
func (d *Digest) tries(cmds []command) (out []string) {
	for _, c := range cmds {
		name, args := c.program()
		if name == "" || notTried()[name] || c.fed || len(out) == maxTries {
			continue
		}
		out = append(out, d.try(c, name, args))
	}
	return out
}

func (d *Digest) try(c command, name string, args []word) string {
	if x, ok := d.testCheck(name, args); ok {
		return strings.TrimSpace(c.environment() + " " + x.Run)
	}
	words := []string{name}
	for _, w := range args {
		if w.text == "" || !w.plain || w.text[0] == '-' {
			continue
		}
		if !strings.ContainsAny(w.text, "/.=:") || len(words) == 1 && scripted()[strings.TrimRight(name, "0123456789.")] {
			words = append(words, path.Base(w.text))
		}
		if len(words) == mostNamed || len(words) == 2 && !runs()[words[1]] {
			break
		}
	}
	s, _ := d.redact(strings.TrimSpace(c.environment()+" "+strings.Join(words, " ")), maxWhat)
	return s
}

// scripted are programs that run what they are given: another script is another thing.
var scripted = prose.WordSet(`python py node bun deno ruby perl php bash sh zsh java Rscript lua pwsh source`)

// runs are words behind a program that say nothing but that it is to run what follows.
var runs = prose.WordSet(`run exec compose tool`)

// ease notes that what failed before is no longer how things stand, though the same line did not
// succeed: it passed among others or with other arguments, or what was tried was taken back.
func (d *Digest) ease(c call, printed string, at int64) {
	if c.Check.Hidden && says(printed, failedWords()) || len(c.Tries) == 0 {
		return
	}
	for i, f := range d.Failures {
		if f.Eased == 0 && len(f.Tries) > 0 && (c.Undoes || c.passes(f)) {
			d.Failures[i].Eased = at
		}
	}
}

// passes reports whether all that failed is among what a call tries. Of tests it has to try as
// many, as far as their names tell.
func (c call) passes(f Failure) bool {
	if slices.ContainsFunc(f.Tries, func(t string) bool { return !slices.Contains(c.Tries, t) }) {
		return false
	}
	return !f.Test || !c.Check.Tests || c.Check.reaches(f.Check)
}

// reaches reports whether the files and folders that are tested hold all that failed.
func (c check) reaches(old check) bool {
	mine, olds := paths(c.Targets), paths(old.Targets)
	if len(mine) == 0 {
		return true
	}
	return len(olds) > 0 && !slices.ContainsFunc(olds, func(o string) bool {
		return !slices.ContainsFunc(mine, func(t string) bool { return o == t || strings.HasPrefix(o, t+"/") || strings.HasPrefix(o, t+"::") })
	})
}

func paths(targets []string) (out []string) {
	for _, t := range targets {
		if t[0] != '-' {
			out = append(out, strings.TrimSuffix(strings.TrimPrefix(t, "./"), "/..."))
		}
	}
	return out
}

// undoes reports whether a line takes changes back.
func undoes(cmds []command) bool {
	return slices.ContainsFunc(cmds, func(c command) bool {
		name, args := c.program()
		if name != "git" || len(args) == 0 {
			return false
		}
		has := func(words ...string) bool {
			return slices.ContainsFunc(args[1:], func(w word) bool { return slices.Contains(words, w.text) })
		}
		switch args[0].text {
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

package term

import (
	"slices"
	"strings"
)

// withoutStore are the commands that act on no store, whatever --global and --session say.
var withoutStore = []string{"agent-skills", "completion", "config", "continuity", "help", "hook", "hooks", "init", "man", "mcp", "model", "version", "watcher"}

// Typed puts the options that the user typed before or behind the command into the commands
// of a hint: without -C and --global they would act on another memory. What is to be typed
// in another clone, or names a store itself, stays as it is.
func (t *Terminal) Typed(hint string) string {
	if t.TypedDir == "" && t.TypedStore == "" {
		return hint
	}
	const program, clones = "git sage ", "in each, "
	hint, there, _ := strings.Cut(hint, clones)
	if there != "" {
		there = clones + there
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(hint, program)
		b.WriteString(before)
		if !found {
			return b.String() + there
		}
		b.WriteString(program)
		command, rest, _ := strings.Cut(after, "'")
		words := strings.Fields(command)
		switch {
		case slices.Contains(words, "--global"), strings.HasPrefix(rest, " there"):
		case len(words) > 0 && slices.Contains(withoutStore, words[0]):
			b.WriteString(t.TypedDir)
		case strings.Contains(t.TypedStore, "--global"):
			b.WriteString(t.TypedStore)
		default:
			b.WriteString(t.TypedDir + t.TypedStore)
		}
		hint = after
	}
}

package usage

import (
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/gitstore/sage/naming"
)

// UnknownVerb says that the word after a group is none of its commands, and in one line
// what was probably meant, or else what there is.
func UnknownVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return &Error{Msg: "'" + c.CommandPath() + "' needs a command: " + strings.Join(verbs(c), ", ")}
	}
	u := &Error{Msg: NotACommand(c, args[0])}
	switch meant := MeantBy(c, args[0]); {
	case meant != nil:
		u.Hints = []string{"did you mean '" + meant.CommandPath() + "'?"}
	case c.HasParent():
		switch list := verbs(c); len(list) {
		case 0:
			u.Hints = []string{"'" + c.CommandPath() + " -h' describes it"}
		case 1:
			u.Hints = []string{"its command is " + list[0]}
		default:
			u.Hints = []string{"its commands are " + term.Listed(list)}
		}
	case strings.ContainsAny(args[0], " \t\n"):
		u.Hints = []string{"'git sage recall <text>' shows what is known of it, 'git sage remember <text>' keeps it"}
	default:
		u.Hints = []string{"'git sage help' lists the commands"}
	}
	return u
}

// NotACommand says of a word that it is no command of c.
func NotACommand(c *cobra.Command, word string) string {
	return "'" + word + "' is not a command of '" + c.CommandPath() + "'"
}

// MeantBy is the command that a word under c was probably meant to be: one that other
// programs call so, one that is spelt nearly so, or one of that name under a noun; nil is
// none.
func MeantBy(c *cobra.Command, word string) *cobra.Command {
	for _, at := range []*cobra.Command{c, c.Root()} {
		for _, path := range Synonyms()[strings.ToLower(word)] {
			if v := available(at, strings.Fields(path)); v != nil {
				return v
			}
		}
	}
	if v := nounOf(c, word); v != nil {
		return v
	}
	if near := naming.Nearest(word, verbs(c)); near != "" {
		return Child(c, near)
	}
	return nil
}

// Synonyms are what people and other programs call commands of ours, as paths behind the
// noun under which the word was typed, or else the program; the first that exists counts.
var Synonyms = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"status": {"list"}, "ls": {"list"}, "items": {"list"},
		"unset": {"reset"}, "clear": {"rm"},
		"delete": {"rm", "clear", "forget"}, "remove": {"rm", "uninstall", "forget"}, "rm": {"forget"},
		"del": {"rm", "forget"}, "erase": {"rm", "forget"}, "drop": {"rm", "forget"}, "discard": {"rm", "forget"},
		"create": {"add", "new", "save"}, "new": {"add", "save"}, "put": {"add", "save"}, "insert": {"add"}, "pin": {"note add"},
		"change": {"edit", "update"}, "modify": {"edit", "update"}, "rename": {"branch"},
		"add": {"remember"}, "fact": {"remember"}, "facts": {"list"}, "learn": {"remember"}, "memorize": {"remember"},
		"memorise": {"remember"}, "memory": {"list"}, "memories": {"list"}, "know": {"remember"}, "keep": {"remember"},
		"preference": {"remember"}, "preferences": {"list"}, "rules": {"list"}, "reference": {"remember"}, "references": {"list"}, "rule": {"remember"}, "unlearn": {"forget"},
		"commit": {"save"}, "store": {"save"}, "record": {"save"}, "snapshot": {"save"}, "write": {"save"},
		"get": {"show", "recall"}, "ask": {"recall"}, "query": {"recall"}, "prompt": {"recall"}, "context": {"recall"},
		"find": {"search"}, "grep": {"search"}, "lookup": {"search"},
		"todos": {"todo"}, "task": {"todo"}, "tasks": {"todo"}, "notes": {"note"}, "failures": {"failure"},
		"checkpoints": {"checkpoint"}, "line": {"branch"}, "lines": {"branch"}, "branches": {"branch"}, "tags": {"tag"},
		"history": {"log"}, "checkout": {"switch"}, "use": {"switch"}, "compare": {"diff"},
		"load": {"checkpoint restore"}, "resume": {"checkpoint restore"}, "continue": {"checkpoint restore"}, "brief": {"checkpoint restore"},
		"where": {"status"}, "info": {"status"}, "whoami": {"status"},
		"check": {"doctor"}, "health": {"doctor"}, "diagnose": {"doctor"}, "verify": {"fsck"}, "repair": {"fsck"},
		"settings": {"config list"}, "setting": {"config"}, "set": {"config set"}, "options": {"config list"},
		"setup": {"init"}, "install": {"init"}, "connect": {"init"}, "start": {"init"}, "server": {"mcp"}, "serve": {"mcp serve"},
		"hide": {"purge"}, "scrub": {"purge"}, "secret": {"redact"}, "secrets": {"redact"},
		"gc": {"admin maintenance"}, "cleanup": {"admin maintenance"}, "backup": {"export"}, "dump": {"export"},
		"undelete": {"undo", "checkpoint restore"}, "revert": {"undo", "checkpoint restore"}, "rollback": {"undo", "checkpoint restore"}, "inbox": {"review", "status"},
		"approve": {"review", "confirm"}, "accept": {"review", "confirm"}, "trust": {"confirm"}, "transcripts": {"import"},
	}
})

// available is the command at a path below c that a person may type, nil if there is none.
func available(c *cobra.Command, path []string) *cobra.Command {
	for _, name := range path {
		if c = Child(c, name); c == nil || !c.IsAvailableCommand() {
			return nil
		}
	}
	return c
}

// Child is the command of c that has a name, also an older one.
func Child(c *cobra.Command, name string) *cobra.Command {
	for _, v := range c.Commands() {
		if v.Name() == name || v.HasAlias(name) {
			return v
		}
	}
	return nil
}

// nounOf is the command of that name under one of the nouns of c: who types "git sage
// extract" means "git sage knowledge extract".
func nounOf(c *cobra.Command, word string) *cobra.Command {
	for _, noun := range []string{"checkpoint", "knowledge"} {
		if v := available(c, []string{noun, word}); v != nil {
			return v
		}
	}
	return nil
}

// verbs are the names of the commands of c that a person may type.
func verbs(c *cobra.Command) []string {
	var names []string
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() {
			names = append(names, v.Name())
		}
	}
	return names
}

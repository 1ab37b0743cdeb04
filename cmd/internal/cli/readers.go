package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// readers are the commands that keep nothing new, by their path behind the name of the
// program. Outside of a repository they do not make the store of the user: where there is
// none they find nothing. A command that is not here may keep something.
var readers = []string{
	"index", "index status", "index gc", "search-code", "grep", "outline", "analyze", "related", "why", "blame", "verify",
	"status", "ui", "list", "recall", "ask", "forget", "log", "activity", "show", "notes", "diff", "review", "undo", "rev-parse", "export", "search", "fsck", "doctor",
	"checkpoint list", "checkpoint show", "checkpoint diff", "checkpoint search", "checkpoint export", "checkpoint restore", "checkpoint rm", "checkpoint prune",
	"knowledge list", "knowledge show", "knowledge match", "knowledge search", "knowledge log", "knowledge diff",
	"todo list", "todo pending", "failure list", "note list", "note show", "core list", "core suggest", "skill list", "skill show", "skill history",
	"templates list", "templates show", "agent-skills list", "agent-skills show", "agent-skills install", "agent-skills update", "agent-skills uninstall",
	"config list", "config get", "config set", "config reset", "continuity status", "continuity inject", "continuity clear", "usage",
	"watcher start", "watcher stop", "watcher status", "watcher autostart", "hooks install", "hooks uninstall", "hooks status",
	"mcp install", "mcp uninstall", "mcp status", "uninstall", "model list", "model info", "model use", "model calibrate",
	"trust", "purge", "knowledge rm", "knowledge archive", "knowledge deprecate", "knowledge confirm", "knowledge link",
	"redact test", "embed", "version", "help", "man", "completion",
	"remote", "remote list", "remote show", "remote add", "remote set", "remote rm",
	"remote recipients", "remote recipients list", "remote recipients add", "remote recipients rm", "remote recipients accept",
	"admin maintenance", "admin clear-cache", "admin embedtest", "__complete", "__completeNoDesc",
}

// bareReaders are those that list something if they are told nothing.
var bareReaders = []string{"branch", "tag"}

// isReader reports whether a call of a command keeps nothing new.
func isReader(c *cobra.Command, args []string) bool {
	_, path, _ := strings.Cut(strings.TrimPrefix(c.CommandPath(), "git "), " ")
	return path == "" || slices.Contains(readers, path) || len(args) == 0 && slices.Contains(bareReaders, path)
}

// Package install writes and removes Claude Code's entries for git-sage, the hooks in
// its settings and the MCP server in its configuration, and its skills, texts in folders
// of their own (package skills). It knows of the plugin that brings the same. Five other
// clients can be given the server: see package place.
//
// The files belong to somebody else. They are edited as bytes: only our entries
// go in and out, and everything else, order, layout and comments included,
// stays as it is. Installing twice changes nothing; a stale entry is mended in
// place. Removing restores the bytes from before: while something is installed,
// a small record under ~/.sage/installs says which bytes of a file are ours,
// since a file alone cannot tell whether its owner or we made an empty "hooks".
// Without the record, or after others rewrote the file, our entries are taken
// out of its structure, with the containers that they leave empty. A hook of git-sage
// that somebody wrote before any was installed is recorded, too, and is as it was when all
// goes; one that is to the letter as Install writes it is taken for Install's.
// The record has, too, that somebody chose programs for hooks, which are then kept.
//
// A file is written beside itself first. What one leaves that is killed meanwhile is named
// by status and doctor, and removed by the next that installs.
//
// Codex has TOML. There the server is a table behind all others, which changes the meaning
// of nothing, and parts of it are replaced in place; what stands without a header of its
// own is read, and neither changed nor taken out.
package install

// Package claudesage reads what claude-sage 0.2 to 4.2.3 wrote: a [Source] over its folders.
//
// It reads no more than what lies in the folders, follows no link out of them, holds one file
// in memory at a time besides an index of checkpoints and items, and expands no YAML beyond
// some bound. Files are read as they were written and not as that tool's readers, which cut
// texts at what looks like markup: front matter ends at a line that is exactly '---', and a
// section begins with a known heading, in order, behind a blank line.
package claudesage

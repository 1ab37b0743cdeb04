// Package draft reads a checkpoint from options, files and the editor, saves it, and says
// what became of it.
package draft

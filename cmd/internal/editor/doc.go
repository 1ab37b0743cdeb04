// Package editor lets a person write a text in the editor that git would open, and loses
// nothing of it.
package editor

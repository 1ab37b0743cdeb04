// Package item shows, edits and removes items of knowledge, notes and skills, for every
// command that does.
package item

// Package item shows, edits and removes items of knowledge, notes and skills, for every
// command that does, and for the page.
//
// Size: 26 names, for a command and the page show one in different ways.
package item

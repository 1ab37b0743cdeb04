// Package exit is how a command ends: its status, what an error has to say, and what to type
// next. Packages below return facts; the commands that a person may type are named here.
package exit

// Package wire is the memory as programs read it: the objects that --json prints, one
// definition for every front end. Fields are only ever added.
//
// It has a name for each object and one for what makes it, which is more than other
// packages have, and nothing else.
//
// Size: 99 names, one for each object that is printed.
package wire

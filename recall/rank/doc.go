// Package rank says in which order candidates answer a question, which of them are given, and
// why. It is pure: the same in, the same out.
//
// Size: 29 names, one for each reason why something is shown.
package rank

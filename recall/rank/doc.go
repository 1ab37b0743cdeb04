// Package rank says in which order candidates answer a question, which of them are given, and
// why. It is pure: the same in, the same out.
package rank

// Package sidecar keeps what searches derive of a store, the words and the vectors of all that
// it says, at what git has now. It can be deleted at any time, and is made again.
//
// Size: 41 methods, for each kind of document is brought up to date by its own.
package sidecar

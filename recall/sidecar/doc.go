// Package sidecar keeps what searches derive of a store, the words and the vectors of all that
// it says, at what git has now. It can be deleted at any time, and is made again.
package sidecar

// Package hooks answers the events of an agent's client: what a new session
// should know, and what a summary must keep.
//
// A hook never gets in the way. Whatever happens inside, [Run] returns in time
// and with status 0, and says nothing rather than something wrong; what went
// wrong stands in a log of its own, and so does what was taken out of a
// conversation as a secret, and what looking for it took.
//
// Some events have no hook, on purpose. The client lets a hook for WorktreeCreate make
// the work tree in its own place, and takes what that prints for the path: one that
// only looks on would break it. WorktreeRemove comes for those work trees alone. What a
// session came to in a work tree that is removed is saved all the same, by a task of package
// autosave, and what waits there for nobody in particular goes with the next mark.
//
// Each event of the client has a file of its name here. What is remembered from one to the
// next is in package session, what is saved without anybody asking in package autosave.
package hooks

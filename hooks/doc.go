// Package hooks answers the events of an agent's client: what a new session
// should know, and what a summary must keep.
//
// A hook never gets in the way. Whatever happens inside, [Run] returns in time
// and with status 0, and says nothing rather than something wrong; what went
// wrong stands in a log of its own.
package hooks

// Package session remembers of an agent's session what its next event must know: where its
// transcript is and how far it is read, what was saved, asked and told, and what was done at
// a compaction or an end.
//
// All of it lies beside the session's position in the store, a small file each, is written
// without a sync and may be lost at any time: then an event looks again, or tells twice. It
// goes a week after the session's last event.
//
// Which client and which server has which session lies in the user's own folder, a note for
// each process: see [Client].
package session

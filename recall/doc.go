// Package recall is the memory that every front end calls: to save a checkpoint, and to put
// what is known in front of somebody again.
//
// A [Memory] is made of rooms, each over those behind it. The packages whose values callers
// name lie beside this one, the others under internal:
//
//	save        a checkpoint: checked, filled in, saved or declined
//	review      what its user has not judged yet
//	write       items: changed, confirmed, and acts taken back
//	continuity  a session brought back to where it was
//	opening     what a session is shown at its start
//	skills      what belongs to a skill
//	prompts     what an agent is told for a prompt, an act or a file
//	search      checkpoints and items for a query
//	similarity  what says the same, or is about the same
//	session     where thought stands
//	templates   the form of a checkpoint: its template, or a brief
//	provenance  whose something is, and the mark that says so
//	knowledge   items of the repository and of the user, read
//	project     the names of the project
//	stores      the stores and their search indexes, opened and kept up
//
// Scores and choices are those of package rank, which needs no store; what searches derive of
// git is that of package sidecar.
package recall

// Package imports brings in what other tools wrote: a [Source] reads it, and [Run] saves it
// here, each thing once, and says what became of it.
//
// Whoever reads another tool's files writes a Source in a package below this one. It yields
// records with where they lie, in the order in which they are to be saved, and says what it
// could not read. It writes nothing, follows no link out of the folder, and knows nothing of
// stores.
//
// Run saves records in batches, one commit of git's or one move of a ref each, so that a
// thing is there whole or not at all whenever it is killed. Run again, it finds out what is
// here already, by the list of what was brought in and by names that things had before, and
// goes on.
//
// Size: 26 names, most of them what a record may hold and what a report says.
package imports

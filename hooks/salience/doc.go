// Package salience makes the record of a conversation that is about to be cut off, or was,
// without a model: what was asked, what was decided and found out, what failed and works now,
// where the person said otherwise, which files changed, and what is still open.
//
// It quotes and never words anything itself: see package prose, whose structure tells first
// what a sentence is, and in eight languages its words second. What it makes is no thought of
// anybody's, and stands in for one until somebody saves it or confirms it.
package salience

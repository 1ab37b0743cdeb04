// Package salience picks out of a conversation what would be missed if it were lost,
// without a model: what was decided and measured, what went wrong and how it was put
// right, which files changed, where the person said otherwise, and what is still open.
//
// It is for conversations that are about to be cut off, or were: what it makes is no
// thought of anybody's, and stands in for one until somebody saves it.
package salience

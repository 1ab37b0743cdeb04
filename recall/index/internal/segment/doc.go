// Package segment keeps documents in immutable files: what they are, how they are cut into
// units and chunks, and the tables by which their words, names and phrases are found.
package segment

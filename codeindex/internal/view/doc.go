// Package view lists the source files of a work tree or a commit, as git sees them: their
// paths and blobs, without what is ignored, vendored or left out by attributes.
package view

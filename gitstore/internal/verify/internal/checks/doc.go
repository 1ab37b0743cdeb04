// Package checks is the checks of fsck, one in a file: none refers to another, and what each
// needs is in the pass and in its fields. The order in which they run is the order of the
// findings.
package checks

// Package checks is the checks of fsck, one in a file: none refers to another, and what each
// needs is in the pass and in its fields. The order in which they run is the order of the
// findings.
//
// A new one is a file here, with a type whose fields are the rooms that it needs, and a line in
// fsck.go of package verify, at the place of its findings. It reports with Add or Warn of the
// pass; Mend right behind offers a fix.
package checks

// Package disk reads and writes the files of the index: mapped into memory where the
// system can, put in their place whole or not at all, and under a lock that goes with
// its process. A test can make any operation fail (see [Inject]).
//
// Nothing is synced: what a power cut takes is made again.
package disk

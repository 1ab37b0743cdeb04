// Command safeguards takes out, one at a time, what keeps a memory safe, and makes
// sure that a check notices.
//
// A safeguard is a file of testdata/safeguards:
//
//	What it is and what would happen without it, in a line or more.
//
//	file: gitstore/internal/ledger/refs.go
//	check: go test ./gitstore -run TestIt
//	says: a word that the check's complaint holds
//	<<<<
//	the lines that are the safeguard, exactly
//	====
//	what stands there without it
//	>>>>
//
// File and replacement may come several times. The replacement is made in a copy
// of the source, which has to compile; then the check has to fail and its output
// to hold the words. First every check has to pass on an untouched copy: one that
// fails anyhow notices nothing. Old lines that are not in the file once are a
// failure, too: somebody moved the safeguard, and this file must follow.
package main

// Package near finds near vectors through a graph (HNSW), for a process that lives
// long and has very many: below some 250,000 a scan of their signs is faster, exact
// and needs neither time to be built nor a kilobyte a vector.
//
// It keeps to what coder/hnsw does well, at the one revision that does (tagged v0.6.1
// finds a tenth of what it should): a graph is built once, from rows that differ in
// their numbers, and never changed, since its Delete, and Add of what is there, leave
// nodes that are found and are not there. Each call is guarded: a panic is an error.
//
// On Windows there is none: the library does not build there (renameio), and the scan
// answers.
package near

// Package app is what every command is handed: the terminal that it runs in, the settings
// that hold there, and the memory, which it opens.
//
// Size: 41 methods, one of them for each way to open a store or to answer.
package app

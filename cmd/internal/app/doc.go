// Package app is what every command is handed: the terminal that it runs in, the settings
// that hold there, and the memory, which it opens.
package app

// Package page holds the command that shows the memory in a browser.
package page

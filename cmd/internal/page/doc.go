// Package page serves the memory to a browser on this machine: a page of one shell, one
// script and one style, and what they ask for as JSON.
package page

// Package notes holds the commands that say of the user's own commits why they were made.
package notes

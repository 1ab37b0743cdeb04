// Package settings holds the commands that list and change settings.
package settings

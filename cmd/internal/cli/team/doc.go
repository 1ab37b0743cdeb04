// Package team holds the commands that show what others do.
package team

// Package review holds the commands by which a person judges what nobody confirmed yet.
package review

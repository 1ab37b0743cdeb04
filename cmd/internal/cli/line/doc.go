// Package line holds the commands on lines of thought: branch, switch, merge, tag and
// rev-parse.
package line

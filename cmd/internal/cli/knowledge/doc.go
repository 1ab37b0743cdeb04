// Package knowledge holds the commands on items of knowledge, and on todos, failures, notes,
// core files and skills.
package knowledge

// Package shorthand reads what people and models write in one line, or in one text, of what a
// checkpoint has as mappings and lists.
package shorthand

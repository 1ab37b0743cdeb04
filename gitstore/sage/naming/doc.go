// Package naming says which names an item may have and which paths a reference, and which word
// was meant.
package naming

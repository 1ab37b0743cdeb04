//go:build !nomodel

package weights

import _ "embed" // for the weights

// Prose is e5-small-v2.
//
//go:embed e5-small-v2.bin
var Prose string

// Code is all-MiniLM-L6-v2.
//
//go:embed all-MiniLM-L6-v2.bin
var Code string

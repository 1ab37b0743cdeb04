//go:build nomodel

package weights

// The program has no model of its own then.
const (
	Prose = ""
	Code  = ""
)

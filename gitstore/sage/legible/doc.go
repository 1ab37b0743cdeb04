// Package legible writes texts so that whoever reads them sees what they say: what is invisible
// becomes visible, what is long becomes short.
package legible

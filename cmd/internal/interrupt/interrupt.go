// Package interrupt hands a Ctrl-C to whoever can stop something smaller than the process.
package interrupt

import "sync/atomic"

// taker is what takes the next Ctrl-C, in place of an end of the process.
var taker atomic.Pointer[func()]

// On has the next Ctrl-C call a function once, until release is called. Those behind it end the
// process.
func On(stop func()) (release func()) {
	taker.Store(&stop)
	return func() { taker.CompareAndSwap(&stop, nil) }
}

// Take reports whether somebody takes a Ctrl-C, and has them take it.
func Take() bool {
	stop := taker.Swap(nil)
	if stop != nil {
		(*stop)()
	}
	return stop != nil
}

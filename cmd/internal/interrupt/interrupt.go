// Package interrupt hands a Ctrl-C to whoever can stop something smaller than the process.
package interrupt

import (
	"sync/atomic"
	"time"
)

// taker is what takes the next Ctrl-C, in place of an end of the process; taken is when one was
// taken last, in nanoseconds.
var (
	taker atomic.Pointer[func()]
	taken atomic.Int64
)

// echo is how soon behind a Ctrl-C another one is the same: git, where it started this process,
// passes on to it what the terminal sends to both.
const echo = 300 * time.Millisecond

// On has the next Ctrl-C call a function once, until release is called. Those behind it end the
// process.
func On(stop func()) (release func()) {
	taker.Store(&stop)
	return func() { taker.CompareAndSwap(&stop, nil) }
}

// Take reports whether somebody takes a Ctrl-C that came now, and has them take it.
func Take(now time.Time) bool {
	if was := taken.Load(); was != 0 && now.UnixNano()-was < int64(echo) {
		return true
	}
	stop := taker.Swap(nil)
	if stop != nil {
		taken.Store(now.UnixNano())
		(*stop)()
	}
	return stop != nil
}

package modelhttp

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// A BusyError is a server that may answer later.
type BusyError struct {
	After time.Duration // at the earliest; 0 is not known
	Why   string
	Down  bool // it cannot be reached: another try at once is no use
}

func (e *BusyError) Error() string { return e.Why }

// Busy is the error of an answer that says that the server can answer no more now: 429 or 5xx.
// It is nil if that says anything else.
func Busy(resp *http.Response, now time.Time, why string) *BusyError {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500 {
		return nil
	}
	return &BusyError{After: retryAfter(resp.Header.Get("Retry-After"), now), Why: why}
}

// retryAfter is the wait that a server asks for, in seconds or until a date, at most a day; 0 if
// it asks for none, or for what is over.
func retryAfter(header string, now time.Time) time.Duration {
	const most = 24 * time.Hour
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), int(most/time.Second))) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now).Round(time.Second), 0), most)
}

// Tries say how often and when a busy server is asked again.
type Tries struct {
	Most     int           // all of them
	First    time.Duration // before the second, if the server asks for no wait
	Factor   time.Duration // by which it grows
	Longest  time.Duration // of a wait
	Patient  bool          // wait that long if the server asks for longer, in place of giving up
	Sleep    func(context.Context, time.Duration) error
	Announce func(time.Duration, *BusyError) // told before each wait; nil is nobody
}

// Do calls once until it brings anything but a [BusyError], or the tries are used up.
func (t Tries) Do(ctx context.Context, once func() error) error {
	pause := t.First
	for n := 1; ; n++ {
		err := once()
		busy, ok := errors.AsType[*BusyError](err)
		if !ok || busy.Down || n == t.Most || ctx.Err() != nil || busy.After > t.Longest && !t.Patient {
			return err
		}
		wait := min(cmp.Or(busy.After, pause), t.Longest)
		if t.Announce != nil {
			t.Announce(wait, busy)
		}
		sleep := t.Sleep
		if sleep == nil {
			sleep = Sleep
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
		pause *= t.Factor
	}
}

// Sleep waits, unless ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

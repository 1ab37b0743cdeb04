// Package web is how models are asked for over HTTP, whoever has them: no redirection is
// followed unseen, and what may go better another time is tried again.
package web

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A Passing is an error that another try may not meet.
type Passing struct {
	error
	wait time.Duration // what the server asks for; 0 is nothing
}

// Passed makes one of err.
func Passed(err error) error { return &Passing{error: err} }

// IsPassing reports whether another try may go better.
func IsPassing(err error) bool {
	_, ok := errors.AsType[*Passing](err)
	return ok
}

// Unwrap returns what passes.
func (p *Passing) Unwrap() error { return p.error }

// longest bounds what a server may ask to be waited for, in seconds.
const longest = 3600

// Busy returns err as Passing, with the wait that the server asks for, if an answer says
// that it can answer no more now (429, 5xx), and nil if it says anything else.
func Busy(resp *http.Response, err error) error {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500 {
		return nil
	}
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // else our own pace
	return &Passing{err, time.Duration(min(max(seconds, 0), longest)) * time.Second}
}

// A Pace is how often something is tried, and how long is waited between: First before
// the second try, twice as long before each that follows, at most Most.
type Pace struct {
	Tries       int
	First, Most time.Duration
	Sleep       func(context.Context, time.Duration) error // nil is the clock's
}

// Do calls try until it returns no Passing, or the tries are used up.
func (p Pace) Do(ctx context.Context, try func() error) error {
	wait := p.First
	for n := 1; ; n++ {
		err := try()
		again, ok := errors.AsType[*Passing](err)
		if !ok || n == p.Tries || ctx.Err() != nil {
			return err
		}
		if err := p.Wait(ctx, cmp.Or(again.wait, wait)); err != nil {
			return err
		}
		wait *= 2
	}
}

// Wait sleeps so long, but no longer than Most.
func (p Pace) Wait(ctx context.Context, d time.Duration) error {
	d = min(d, p.Most)
	if p.Sleep != nil {
		return p.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Client follows no redirection: a key would go along.
var Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// Local says whether a host is this machine.
func Local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Bare is an error of a request without its address, which may be long, signed and
// nobody's business.
func Bare(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

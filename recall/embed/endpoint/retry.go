package endpoint

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

// A passing is an error that another try may not meet.
type passing struct {
	error
	wait time.Duration // what the server asks for; 0 is nothing
}

// Unwrap returns what passes.
func (p *passing) Unwrap() error { return p.error }

// longest bounds what a server may ask to be waited for, in seconds.
const longest = 3600

// busy returns err as passing, with the wait that the server asks for, if an answer says
// that it can answer no more now (429, 5xx), and nil if it says anything else.
func busy(resp *http.Response, err error) error {
	if resp.StatusCode != http.StatusTooManyRequests && resp.StatusCode < 500 {
		return nil
	}
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // else our own pace
	return &passing{err, time.Duration(min(max(seconds, 0), longest)) * time.Second}
}

// try sends one request until it is answered, or the tries are used up.
func (e *Endpoint) try(ctx context.Context, texts []string, dim int) ([][]float32, error) {
	wait := firstWait
	for n := 1; ; n++ {
		v, err := e.ask(ctx, texts, dim)
		again, ok := errors.AsType[*passing](err)
		if !ok || n == tries || ctx.Err() != nil {
			return v, err
		}
		if err := e.wait(ctx, min(cmp.Or(again.wait, wait), mostWait)); err != nil {
			return nil, err
		}
		wait *= 2
	}
}

// wait sleeps so long.
func (e *Endpoint) wait(ctx context.Context, d time.Duration) error {
	if e.o.Sleep != nil {
		return e.o.Sleep(ctx, d)
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

// client follows no redirection: a key would go along.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// local says whether a host is this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// bare is an error of a request without its address, which may be long, signed and
// nobody's business.
func bare(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

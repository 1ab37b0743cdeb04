package modelhttp

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSaid(t *testing.T) {
	for body, want := range map[string]string{
		`{"type":"error","error":{"type":"x","message":"Slow down."}}`: "Slow down.",
		`{"error":"model not found"}`:                                  "model not found",
		`{"detail":"Not Found"}`:                                       "Not Found",
		`{"error":null}`:                                               `{"error":null}`,
		"oops":                                                         "oops",
		"<!DOCTYPE html>\n<html><head><title>Log in &amp;\n pay</title></head>": "a web page, 'Log in & pay'",
		" <html><body>": "a web page",
	} {
		if got := Said([]byte(body)); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 16, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-1": 0, "9999999999": 24 * time.Hour, "soon": 0,
		"Fri, 16 Jan 2026 12:00:40 GMT": 40 * time.Second, "Fri, 16 Jan 2026 11:00:00 GMT": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

// A busy server is asked again, as late as it says or more and more late, as often as may be.
func TestTries(t *testing.T) {
	busy := func(after time.Duration) error { return &BusyError{After: after} }
	other := errors.New("other")
	for _, tt := range []struct {
		what   string
		tries  Tries
		errs   []error // the last one is that of all that follow
		want   error
		waited []time.Duration
	}{
		{"at once", Tries{}, []error{nil}, nil, nil},
		{"another error", Tries{}, []error{other}, other, nil},
		{"busy for ever", Tries{}, []error{busy(0)}, busy(0), []time.Duration{1, 4}},
		{"busy once", Tries{}, []error{busy(7), nil}, nil, []time.Duration{7}},
		{"busy for long", Tries{}, []error{busy(31)}, busy(31), nil},
		{"busy for long, and time", Tries{Patient: true}, []error{busy(31)}, busy(31), []time.Duration{30, 30}},
		{"nobody there", Tries{}, []error{&BusyError{Down: true}, nil}, &BusyError{Down: true}, nil},
	} {
		var waited []time.Duration
		tries := tt.tries
		tries.Most, tries.First, tries.Factor, tries.Longest = 3, 1, 4, 30
		tries.Sleep = func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil }
		n := 0
		err := tries.Do(t.Context(), func() error { n++; return tt.errs[min(n, len(tt.errs))-1] })
		if (err == nil) != (tt.want == nil) || err != nil && err.Error() != tt.want.Error() || !slices.Equal(waited, tt.waited) {
			t.Errorf("%s: %v, waited %v", tt.what, err, waited)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	tries := Tries{Most: 3, First: time.Hour, Longest: time.Hour, Announce: func(time.Duration, *BusyError) { cancel() }}
	if err := tries.Do(ctx, func() error { return busy(0) }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What cannot pass by itself is told as that, and in few words.
func TestFailure(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that fails
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c, _, _ := http.NewResponseController(w).Hijack()
		c.Close()
	}))
	defer plain.Close()
	open := httptest.NewServer(http.NotFoundHandler())
	defer open.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, tt := range []struct {
		address, want string
		busy, down    bool
	}{
		{secure.URL, "the certificate is not valid: x509: ", false, false},
		{strings.Replace(open.URL, "http:", "https:", 1), "the server speaks HTTP, not HTTPS", false, false},
		{plain.URL, "EOF", true, false},
		{gone.URL, "cannot connect: ", true, true},
	} {
		resp, err := Client.Get(tt.address + "/?by=me")
		if err == nil {
			resp.Body.Close()
			t.Fatalf("%s answered", tt.address)
		}
		err = Failure(err, "")
		busy, ok := errors.AsType[*BusyError](err)
		if !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "by=me") || ok != tt.busy || ok && busy.Down != tt.down {
			t.Errorf("%s: %v (%+v)", tt.address, err, busy)
		}
	}
}

// Package modelhttp is what requests to the server of a model have in common, whatever is asked
// of it: they follow no redirection and tell nobody the key, an error is told in the server's own
// words, and what passes is tried again.
package modelhttp

import (
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/git-sage/git-sage/gitstore/sage/legible"
	"github.com/git-sage/git-sage/prose/cut"
)

// Client follows no redirection: the key and the texts would go along.
var Client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// IsLocal reports whether a host is this machine.
func IsLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Clipped is the beginning of what a program or server said, on one line.
func Clipped(s string) string {
	const most = 200 // characters
	return cut.Runes(legible.OneLine(strings.Join(strings.Fields(s), " ")), most)
}

// Discreet is what a server said without the key, clipped when that is out of it. A shorter one,
// such as servers on this machine want, is no secret.
func Discreet(text, key string) string {
	const shortest = 8
	if len(key) >= shortest {
		text = strings.ReplaceAll(text, key, "***")
	}
	return Clipped(text)
}

// maxSaid is how much of an answer is looked at for what it says, in bytes.
const maxSaid = 64 << 10

// Refusal says with which status a server refused, and its reason, without the key.
func Refusal(resp *http.Response, body []byte, key string) string {
	if to := resp.Header.Get("Location"); to != "" && resp.StatusCode >= 300 && resp.StatusCode < 400 {
		return fmt.Sprintf("%s: redirected to '%s'; set that address if you trust it", resp.Status, Discreet(to, key))
	}
	said := Discreet(Said(body), key)
	if said == "" {
		return resp.Status
	}
	return resp.Status + ": " + said
}

// Said is the message in an answer that is none: in JSON as OpenAI's and Anthropic's servers and
// most others have it, of a page its title, else the text as it is.
func Said(body []byte) string {
	var a struct {
		Error           json.RawMessage
		Message, Detail string
	}
	if json.Unmarshal(body, &a) == nil {
		var of struct{ Message string }
		var text string
		switch {
		case json.Unmarshal(a.Error, &of) == nil && of.Message != "":
			return of.Message
		case json.Unmarshal(a.Error, &text) == nil && text != "":
			return text
		case a.Message+a.Detail != "":
			return a.Message + a.Detail
		}
	}
	text := string(body[:min(len(body), maxSaid)])
	if !page().MatchString(text) {
		return text
	}
	if m := title().FindStringSubmatch(text); m != nil {
		return "a web page, '" + html.UnescapeString(strings.Join(strings.Fields(m[1]), " ")) + "'"
	}
	return "a web page"
}

var (
	page  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*(?:<!doctype html|<html)`) })
	title = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?is)<title[^>]*>(.+?)</title>`) })
)

// Failure is why a request got no answer, without its address, which may be long, signed and
// nobody's business. It is a [BusyError] unless it cannot pass by itself.
func Failure(err error, key string) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	if e, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return fmt.Errorf("the certificate is not valid: %s", Clipped(e.Err.Error()))
	}
	if errors.Is(err, http.ErrSchemeMismatch) {
		return errors.New("the server speaks HTTP, not HTTPS")
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return &BusyError{Why: "cannot connect: " + Clipped(e.Err), Down: true}
	}
	if e, ok := errors.AsType[*net.OpError](err); ok && (e.Op == "dial" || e.Op == "proxyconnect") {
		what := map[string]string{"dial": "cannot connect", "proxyconnect": "cannot connect to the proxy"}[e.Op]
		if inner, ok := errors.AsType[*net.OpError](e.Err); ok {
			e = inner
		}
		cause := e.Err
		if call, ok := errors.AsType[*os.SyscallError](cause); ok { // "connect: " again
			cause = call.Err
		}
		return &BusyError{Why: what + ": " + Clipped(cause.Error()), Down: true}
	}
	return &BusyError{Why: Discreet(err.Error(), key)}
}

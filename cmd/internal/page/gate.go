package page

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/git-sage/git-sage/cmd/internal/page/internal/api"
)

// policy is what the page may do: run and load what is served here, and ask it. No text
// becomes markup, for script may not make any.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// A gate lets through who has the token, by the address of the server alone: a name that
// leads here for the moment is somebody else's, and other pages of this machine are other
// sites whatever the browser thinks.
type gate struct {
	next  http.Handler
	host  string
	token string

	ticket string      // admits once, who is of our user
	used   atomic.Bool // it did
	peer   peer
}

// A peer tells whether the process at the other end of a connection is of our user; who is not is
// refused if that is sure.
type peer func(remote, local string) (own, sure bool)

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range map[string]string{
		"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "no-store",
	} {
		h.Set(name, value)
	}
	switch {
	case r.Host != g.host:
		refuse(w, r, http.StatusMisdirectedRequest, "this server is "+g.host)
	case isOthers(r):
		refuse(w, r, http.StatusForbidden, "it is another user who asks: run 'git sage ui' as yourself")
	case isRead(r) && r.URL.Query().Has("token"):
		g.admit(w, r)
	case !g.isKnown(r):
		refuse(w, r, http.StatusForbidden, "open the address that 'git sage ui' printed")
	case !slices.Contains([]string{"", "none", "same-origin"}, r.Header.Get("Sec-Fetch-Site")) || !g.isOrigin(r):
		refuse(w, r, http.StatusForbidden, "another page may not ask this server")
	default:
		g.next.ServeHTTP(w, r)
	}
}

func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// admit takes the token out of the address, where histories and bookmarks would keep it.
func (g *gate) admit(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	if given := q.Get("token"); !is(given, g.token) && !g.isTicket(r, given) {
		refuse(w, r, http.StatusForbidden, "the token is of another start of this server, or its browser's own and used already: open the address that it printed")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: g.cookie(), Value: g.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	q.Del("token")
	to := url.URL{Path: path.Clean("/" + r.URL.Path), RawQuery: q.Encode()}
	w.Header().Set("Location", to.String())
	w.WriteHeader(http.StatusSeeOther)
}

// isTicket takes the ticket, which a list of processes shows to all users of the machine while
// the browser starts.
func (g *gate) isTicket(r *http.Request, given string) bool {
	own, _ := g.peer(r.RemoteAddr, g.host)
	return g.ticket != "" && is(given, g.ticket) && own && g.used.CompareAndSwap(false, true)
}

// others is the key, in the context of a connection, of a function that reports whether another
// user's process is known to be at its other end.
type others struct{}

// tellPeers has requests of a connection know whose it is. A browser sends the cookie of a host
// to all its ports, so to a page that another user of the machine serves.
func tellPeers(p peer) func(context.Context, net.Conn) context.Context {
	return func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, others{}, sync.OnceValue(func() bool {
			own, sure := p(c.RemoteAddr().String(), c.LocalAddr().String())
			return sure && !own
		}))
	}
}

func isOthers(r *http.Request) bool {
	of, ok := r.Context().Value(others{}).(func() bool)
	return ok && of()
}

// cookie is the name of ours: one is of a host, whatever the port.
func (g *gate) cookie() string { return "sage-" + g.host[strings.LastIndex(g.host, ":")+1:] }

// isKnown tells who was admitted, and programs that bring the token with each request.
func (g *gate) isKnown(r *http.Request) bool {
	if given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return is(given, g.token)
	}
	c, err := r.Cookie(g.cookie())
	return err == nil && is(c.Value, g.token)
}

// is compares what was given with a secret, in the same time whatever it is.
func is(given, secret string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// isOrigin reports whether a request comes from the page, or from a program. What writes
// says so: a form of another page can send neither the header nor JSON.
func (g *gate) isOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	own := len(origins) == 1 && origins[0] == "http://"+g.host
	if isRead(r) {
		return own || len(origins) == 0
	}
	program := len(origins) == 0 && r.Header.Get("Authorization") != ""
	return (own || program) && r.Header.Get(api.WriteHeader) != ""
}

// refuse says in a line what is wrong, as JSON to who asked for that.
func refuse(w http.ResponseWriter, r *http.Request, status int, why string) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		api.Refuse(w, status, why)
		return
	}
	http.Error(w, "git sage ui: "+why, status)
}

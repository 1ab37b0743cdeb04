package overhttp

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/git-sage/git-sage/mcp/internal/texts"
)

// A gate lets through who may talk to the server: not a page in somebody's browser, be it
// under a name that leads to this machine for the moment, and nobody without the token.
type gate struct {
	next  http.Handler
	token [sha256.Size]byte
	hosts []string // besides those of loopback
}

func tokenSum(token string) [sha256.Size]byte { return sha256.Sum256([]byte(token)) }

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case !g.isHost(r.Host):
		deny(w, http.StatusForbidden, "Host: %s is not this server", texts.Shown(r.Host))
	case !g.isOrigin(r.Header.Values("Origin")):
		deny(w, http.StatusForbidden, "Origin: web pages may not use this server")
	case !g.isToken(r.Header.Values("Authorization")):
		w.Header().Set("WWW-Authenticate", `Bearer realm="git-sage"`)
		deny(w, http.StatusUnauthorized, "Authorization: the token is missing, or not this server's")
	case r.URL.Path != Path:
		deny(w, http.StatusNotFound, "the server is at %s", Path)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// isHost says whether the server may be called so, whatever the port: a page that was
// loaded from elsewhere has the name of that place.
func (g *gate) isHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	addr, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && addr.Unmap().IsLoopback() || slices.Contains(g.hosts, name)
}

// isOrigin says whether a browser may ask: programs say no origin.
func (g *gate) isOrigin(origins []string) bool {
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || !g.isHost(u.Host) {
			return false
		}
	}
	return true
}

// isToken compares without telling by the time it takes how much was right.
func (g *gate) isToken(given []string) bool {
	if len(given) != 1 {
		return false
	}
	kind, token, _ := strings.Cut(given[0], " ")
	sum := tokenSum(strings.TrimSpace(token))
	return subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 && strings.EqualFold(kind, "Bearer")
}

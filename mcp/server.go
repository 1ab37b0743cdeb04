package mcp

import (
	"context"
	"io"
	"net"

	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/overhttp"
	"github.com/git-sage/git-sage/mcp/internal/server"
)

// What the rooms below make, under the names by which callers know it.
type (
	Options = client.Options
	Setting = client.Setting
)

// Path is where a server over HTTP is reached.
const Path = overhttp.Path

// Serve answers messages until the input ends or ctx is done. It lets calls
// under way finish, and returns nil unless reading or writing failed.
func Serve(ctx context.Context, o Options) error {
	if o.Err == nil {
		o.Err = io.Discard
	}
	if o.Session == "" {
		o.Session = server.MadeUpSession()
	}
	c := server.New(ctx, o, func(_ any, line []byte) error {
		_, err := o.Out.Write(append(line, '\n'))
		return err
	})
	defer c.End()
	err := c.Listen(ctx, o.In)
	c.Drain()
	return err
}

// ServeHTTP answers requests that come in by l, of whoever has the token, until ctx is
// done; then calls under way get as long as those of [Serve]. In, Out, Session, Client
// and Roots of o are not used: each client has a session of its own, and all have the
// memory that o opens. It can be called by the names of loopback, and by hosts.
func ServeHTTP(ctx context.Context, l net.Listener, o Options, token string, hosts ...string) error {
	return overhttp.Serve(ctx, l, o, token, hosts...)
}

package serve

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/cmd/internal/app"
	"github.com/git-sage/git-sage/cmd/internal/cli/watcher"
	"github.com/git-sage/git-sage/cmd/internal/term"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/codeindex"
	"github.com/git-sage/git-sage/mcp"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// httpFlags are those of a server over HTTP.
type httpFlags struct {
	addr      string // host and port; "" is no such server
	tokenFile string
	remote    bool
}

// serveHTTP serves the folder at hand to who has the token.
func serveHTTP(ctx context.Context, a *app.App, f httpFlags) error {
	addr, err := listenAddr(f.addr, f.remote)
	if err != nil {
		return err
	}
	there := *a // its sessions are the clients', not that of who started it
	there.Session, there.Agent, there.Found = "", "", &app.Repositories{}
	m, err := there.OpenGuest(ctx, a.Dir, "")
	if err != nil {
		return err
	}
	what := app.MemoryOf(&there, m.Store)
	m.Close()
	file := f.tokenFile
	if file == "" {
		file = filepath.Join(a.Home(), "run", "http-token")
	} else {
		file = a.Path(file)
	}
	token, err := readToken(a, file)
	if err != nil {
		return err
	}
	l, err := app.Listen(ctx, addr.String())
	if err != nil {
		return err
	}
	if err := announce(a, l.Addr().String(), what, file); err != nil {
		l.Close()
		return err
	}
	there.Indexes, there.Code = &sidecar.Indexes{Long: true}, &codeindex.Kept{}
	where := func() string { return there.Dir }
	go watcher.AutoStart(ctx, &there, knobs{&there, where}.load)
	o := serverOptions(&there, where, func() string { return "" })
	o.Hook = nil // what hooks name is read from this machine, whoever asks
	var hosts []string
	if !addr.Addr().IsLoopback() {
		hosts = append(hosts, addr.Addr().String())
	}
	return mcp.ServeHTTP(ctx, l, o, token, hosts...)
}

// listenAddr reads host and port; without a host, or as localhost, it is 127.0.0.1.
func listenAddr(s string, remote bool) (netip.AddrPort, error) {
	if !strings.Contains(s, ":") {
		s = ":" + s
	}
	host, port, err := net.SplitHostPort(s)
	if host == "" || strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	addr, bad := netip.ParseAddrPort(net.JoinHostPort(host, port))
	switch {
	case err != nil || bad != nil:
		return addr, usage.Errorf("'%s' is not an address such as 127.0.0.1:8181; port 0 picks a free port", s)
	case addr.Addr().IsUnspecified():
		return addr, usage.Errorf("%s means every address of this machine; name one", addr.Addr())
	case !addr.Addr().IsLoopback() && !remote:
		return addr, usage.Errorf("%s can be reached from other machines, without encryption; '--remote' allows it", addr.Addr())
	}
	return addr, nil
}

// announce says where the server is, on standard output, and how to reach it.
func announce(a *app.App, addr, what, file string) error {
	url := "http://" + addr + mcp.Path
	fmt.Fprintf(a.Err, "serving the memory of %s; clients need the token in %s\n", term.Visible(what), term.Visible(file))
	fmt.Fprintf(a.Err, "claude mcp add --transport http sage %s --header \"Authorization: Bearer $(cat %s)\"\n", url, term.ShellWord(file))
	if a.JSON {
		return a.PrintJSON(map[string]string{"url": url, "token_file": file, "repository": what})
	}
	_, err := fmt.Fprintln(a.Out, url)
	return err
}

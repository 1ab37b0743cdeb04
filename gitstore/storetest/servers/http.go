package servers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// http is git's own program for web servers behind Go's. While there is a file "cut" in the
// folder with a number in it, no question and no answer is longer than so many bytes: the
// connection breaks. <URL>/../locked/ is for the user ada with the password s3cret.
func (s *Server) http() error {
	git, err := exec.LookPath("git")
	if err != nil {
		return err
	}
	h := whole(&cgi.Handler{Path: git, Args: []string{"http-backend"}, Stderr: io.Discard, Logger: log.New(io.Discard, "", 0),
		Env: append(s.env, "GIT_PROJECT_ROOT="+s.root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=ada")})
	mux := http.NewServeMux()
	mux.Handle("/git/", http.StripPrefix("/git", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		most, err := os.ReadFile(filepath.Join(s.root, "cut"))
		n, bad := strconv.Atoi(strings.TrimSpace(string(most)))
		if err != nil || bad != nil {
			h.ServeHTTP(w, r)
			return
		}
		c := &cutter{ResponseWriter: w, left: n}
		if r.ContentLength <= int64(n) {
			h.ServeHTTP(c, r)
		}
		if c.left < 0 || r.ContentLength > int64(n) {
			panic(http.ErrAbortHandler)
		}
	})))
	mux.HandleFunc("/locked/", func(w http.ResponseWriter, r *http.Request) {
		if name, password, _ := r.BasicAuth(); name != "ada" || password != "s3cret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="hub"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		http.StripPrefix("/locked", h).ServeHTTP(w, r)
	})
	s.serve(mux)
	s.URL += "/git"
	return nil
}

// whole reads a request before h answers it, since CGI knows no chunks.
func whole(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(b)), int64(len(b)), nil
		h.ServeHTTP(w, r)
	})
}

// A cutter passes so many bytes of an answer on.
type cutter struct {
	http.ResponseWriter
	left int // below 0 once something was kept back
}

func (c *cutter) Write(b []byte) (int, error) {
	n := max(0, min(len(b), c.left))
	c.left -= len(b)
	if _, err := c.ResponseWriter.Write(b[:n]); err != nil || n < len(b) {
		if f, ok := c.ResponseWriter.(http.Flusher); ok {
			f.Flush()
		}
		return n, errors.Join(err, io.ErrShortWrite)
	}
	return n, nil
}

func (s *Server) dumb() error { s.serve(http.FileServer(http.Dir(s.root))); return nil }

func (s *Server) serve(h http.Handler) {
	web := httptest.NewServer(h)
	s.URL, s.closers = web.URL, append(s.closers, web.CloseClientConnections, web.Close)
}

// lighttpdConfig is what git-http-backend(1) says; it is given the socket.
const lighttpdConfig = `server.document-root = "%[1]s"
server.bind = "127.0.0.1"
server.port = %[4]d
server.systemd-socket-activation = "enable"
server.modules = ( "mod_alias", "mod_setenv", "mod_cgi" )
server.upload-dirs = ( "%[2]s" )
alias.url = ( "/git" => "%[3]s/git-http-backend" )
cgi.assign = ( "" => "" )
setenv.add-environment = ( "GIT_PROJECT_ROOT" => "%[1]s", "GIT_HTTP_EXPORT_ALL" => "1", "REMOTE_USER" => "ada", "HOME" => "%[2]s", "PATH" => env.PATH )
`

func (s *Server) lighttpd() error {
	where := exec.Command("git", "--exec-path")
	where.Env = s.env
	exe, err := where.Output()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer l.Close()
	socket, err := l.(*net.TCPListener).File()
	if err != nil {
		return err
	}
	defer socket.Close()
	conf := filepath.Join(s.dir, "lighttpd.conf")
	text := fmt.Sprintf(lighttpdConfig, s.root, s.dir, strings.TrimSpace(string(exe)), l.Addr().(*net.TCPAddr).Port)
	if err := os.WriteFile(conf, []byte(text), 0o666); err != nil {
		return err
	}
	path, err := program("lighttpd")
	if err != nil {
		return err
	}
	cmd, err := s.command("sh", "-c", `LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"`, "sh", path, "-D", "-f", conf)
	if err != nil {
		return err
	}
	cmd.ExtraFiles = []*os.File{socket}
	s.URL = "http://" + l.Addr().String() + "/git"
	s.closers = append(s.closers, func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd.Start()
}

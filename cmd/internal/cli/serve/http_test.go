package serve

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/git-sage/git-sage/cmd/internal/app"
)

// Servers that start at once agree on a token.
func TestTokenMadeAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run", "token")
	var all sync.WaitGroup
	tokens := make([]string, 8)
	for i := range tokens {
		all.Go(func() {
			var err error
			if tokens[i], err = readToken((&app.App{}), file); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, token := range tokens {
		if token != tokens[0] || len(token) < 40 {
			t.Errorf("%q beside %q", token, tokens[0])
		}
	}
	left, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
	if runtime.GOOS != "windows" {
		link := file + "-link"
		if err := os.Symlink(file, link); err != nil {
			t.Fatal(err)
		}
		if _, err := readToken((&app.App{}), link); err == nil {
			t.Error("a link was followed")
		}
	}
}

func TestListenAddr(t *testing.T) {
	for s, want := range map[string]string{
		"127.0.0.1:80": "127.0.0.1:80", "localhost:80": "127.0.0.1:80", ":80": "127.0.0.1:80", "8181": "127.0.0.1:8181",
		"[::1]:0": "[::1]:0", "127.0.0.2:1": "127.0.0.2:1",
		"": "", "x": "", "127.0.0.1:70000": "", "1.2.3.4:5": "", "[::]:5": "", "::1": "", "host:80": "",
	} {
		got, err := listenAddr(s, false)
		if err == nil && got.String() != want || err != nil && want != "" {
			t.Errorf("%q is %s, %v", s, got, err)
		}
	}
	if got, err := listenAddr("192.0.2.1:80", true); err != nil || got.String() != "192.0.2.1:80" {
		t.Errorf("%s, %v", got, err)
	}
}

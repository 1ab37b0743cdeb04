package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const shop = "/home/ada/shop"

func TestPaths(t *testing.T) {
	for _, tt := range []struct{ root, dir, name, want string }{
		{shop, shop, "a.go", "a.go"},
		{shop, shop + "/src", "a.go", "src/a.go"},
		{shop, shop + "/src", "../b/./a.go", "b/a.go"},
		{shop, shop, shop + "/a.go", "a.go"},
		{shop + "/", shop, shop + "//a.go", "a.go"},
		{shop, "/", shop + "x/a.go", "out " + shop + "x/a.go"},
		{shop, shop, "../a.go", "out /home/ada/a.go"},
		{shop, shop, "", ""},
		{shop, shop, ".", ""},
		{shop, shop, "/", ""},
		{"/", shop, "../../..", ""},
		{shop, "", "a.go", ""},
		{shop, "rel", "a.go", ""},
		{shop, shop, "~/a.go", ""},
		{shop, shop, "a\x00b", ""},
		{shop, shop, ".git/config", ""},
		{shop, shop, "sub/.git/config", ""},
		{shop, shop, ".github/x.yml", ".github/x.yml"},
		{shop, shop, "/dev/null", ""},
		{shop, shop, strings.Repeat("x", MaxPath), ""},
		{"/tmp/r", "/private/tmp/r/src", "a.go", "src/a.go"},
		{"/private/tmp/r", "/tmp/r", "a.go", "a.go"},
		{"/var/folders/x/r", "/private/var/folders/x/r", "a.go", "a.go"},
		{"/private", "/private", "a.go", "a.go"},
		{"", shop, "a.go", "out " + shop + "/a.go"},
		{"relative", shop, "a.go", "out " + shop + "/a.go"},
		{"/", "/x", "a.go", "x/a.go"},
	} {
		got, in := NewRoot(tt.root).Rel(tt.dir, tt.name)
		if !in && got != "" {
			got = "out " + got
		}
		if got != tt.want {
			t.Errorf("%.40q in %q of root %q is %.60q, want %q", tt.name, tt.dir, tt.root, got, tt.want)
		}
	}
}

// The root and the files may both be named through links; a link in the repository is
// a file of its own.
func TestPathsThroughLinks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"real/src", "else"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for to, from := range map[string]string{"real": "one", "one": "two", "real/src": "deep", "else": "real/out"} {
		if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, from)); err != nil {
			t.Skip(err)
		}
	}
	if err := os.Symlink("src/a.go", filepath.Join(dir, "real/link.go")); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{"real", "one", "two"} {
		r := NewRoot(filepath.Join(dir, root))
		for name, want := range map[string]string{
			"real/src/a.go": "src/a.go", "one/src/a.go": "src/a.go", "two/new/b.go": "new/b.go", "deep/a.go": "src/a.go",
			"real/link.go": "link.go", "two/link.go": "link.go", "one/out/x": "out/x", "else/x": "",
		} {
			got, in := r.Rel("/", filepath.Join(dir, name))
			if !in {
				got = ""
			}
			if got != want {
				t.Errorf("root %s: %s is %q, want %q", root, name, got, want)
			}
		}
	}
}

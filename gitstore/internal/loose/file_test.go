package loose

import (
	"bytes"
	"compress/zlib"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

// sized are objects on both sides of what is stored and what is deflated.
func sized(s *Store) (all []Object) {
	for _, n := range []int{0, 1, 300, plainMax - 10, plainMax - 9, plainMax - 8, 5000, 1 << 16, 1 << 20} {
		all = append(all, s.New("blob", bytes.Repeat([]byte("0123456789 of ARC\n"), n/18+1)[:n]))
	}
	return append(all, s.New("tree", nil), s.New("commit", []byte("tree x\n\ny\n")))
}

// What we write, git reads: the same type, content and id, and nothing to complain of.
func TestGitReadsWhatIsWritten(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = storetest.Env(dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q", "--bare")
	s := &Store{Dir: filepath.Join(dir, "objects"), Format: "sha1", Durable: true}
	for _, o := range sized(s) {
		if o.Type == "commit" {
			continue // git would look for its tree
		}
		if err := s.Write(o); err != nil {
			t.Fatal(err)
		}
		if got := git("cat-file", o.Type, o.ID); got != string(o.Data) {
			t.Errorf("%s of %d bytes: git reads %d", o.Type, len(o.Data), len(got))
		}
		if got, ok := s.Read(o.ID); !ok || !bytes.Equal(got.Data, o.Data) || got.Type != o.Type {
			t.Errorf("%s of %d bytes: we do not read it", o.Type, len(o.Data))
		}
	}
	if out := git("fsck", "--strict", "--no-dangling"); strings.Contains(out, "error") {
		t.Error(out)
	}
}

// A small object takes a block of the file system and no more, a large one less
// than its content.
func TestFilesAreSmall(t *testing.T) {
	for _, o := range sized(&Store{}) {
		if b := encode(o); len(b) > max(4<<10, len(o.Data)/10) {
			t.Errorf("%d bytes take a file of %d", len(o.Data), len(b))
		}
	}
}

// The files are plain zlib streams.
func TestEncodeIsZlib(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 3*plainMax/2).Draw(t, "data")
		z, err := zlib.NewReader(bytes.NewReader(encode(Object{Type: "blob", Data: data})))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		_, content, _ := bytes.Cut(got, []byte{0})
		if diff := cmp.Diff(string(data), string(content)); err != nil || diff != "" {
			t.Fatalf("%v %s", err, diff)
		}
	})
}

// What is damaged anywhere, cut short or of another id is not read, and does not
// spoil what is read next.
func TestDamageIsNotRead(t *testing.T) {
	s := &Store{Dir: t.TempDir(), Format: "sha1"}
	for _, o := range []Object{s.New("blob", []byte("a thesis")), s.New("blob", bytes.Repeat([]byte("much of it "), 1000))} {
		if err := s.Write(o); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(s.path(o.ID))
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole {
			bad := bytes.Clone(whole)
			bad[i] ^= 0x11
			lies(t, s, o, bad, i == 0 || i == 1)
			lies(t, s, o, whole[:i], false)
		}
		lies(t, s, o, plain(nil, "blob", nil), false)
		lies(t, s, o, plain(nil, "blob x\x00", o.Data[:8]), false)
		lies(t, s, o, plain(nil, "blob 7\x00", o.Data[:8]), false)
		lies(t, s, o, plain(nil, "blob 9\x00", o.Data[:8]), false)
		lies(t, s, o, plain(nil, "blob -1\x00", o.Data[:8]), false)
		lies(t, s, o, plain(nil, "blob 999999999\x00", o.Data[:8]), false)
		lies(t, s, o, plain(nil, "tree 8\x00", o.Data[:8]), false)
		lies(t, s, o, whole, true)
	}
}

// lies puts these bytes in place of o, which may or may not be read then.
func lies(t *testing.T, s *Store, o Object, file []byte, may bool) {
	t.Helper()
	_ = os.Remove(s.path(o.ID))
	if err := os.WriteFile(s.path(o.ID), file, 0o644); err != nil {
		t.Fatal(err)
	}
	got, ok := s.Read(o.ID)
	if ok && (!may || !bytes.Equal(got.Data, o.Data)) || !ok && may && bytes.Equal(file, encode(o)) {
		t.Fatalf("%q...: read %v", file[:min(len(file), 20)], ok)
	}
}

package cli

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Commands with which scripts harm real repositories, and look whether others
// left them alone:
//
//	damage <how> <file>              empties, cuts, lengthens, flips a bit of, or fills a file with what is none of its own
//	damage <how> <repo> <revision>   the same to a loose object
//	sum <folder> <name>              remembers every byte below a folder, but for .git/sage/cache
//	same <folder> <name>             fails if a byte is another now
func init() {
	scriptCommands["damage"] = damage
	scriptCommands["sum"] = func(ts *testscript.TestScript, neg bool, args []string) {
		ts.Setenv("SUM_"+args[1], sumOf(ts, args[0]))
	}
	scriptCommands["same"] = func(ts *testscript.TestScript, neg bool, args []string) {
		was, now := ts.Getenv("SUM_"+args[1]), sumOf(ts, args[0])
		if (was == now) == neg {
			ts.Fatalf("before:\n%s\nnow:\n%s", was, now)
		}
	}
}

func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: damage <how> <file> | <how> <repo> <revision>")
	}
	file := ts.MkAbs(args[1])
	if len(args) == 3 {
		ts.Check(ts.Exec("git", "-C", file, "rev-parse", "--verify", args[2]))
		id := strings.TrimSpace(ts.ReadFile("stdout"))
		file = filepath.Join(file, ".git", "objects", id[:2], id[2:])
	}
	ts.Check(os.Chmod(file, 0o644))
	b, err := os.ReadFile(file)
	ts.Check(err)
	switch args[0] {
	case "empty":
		b = nil
	case "cut":
		b = b[:len(b)/2]
	case "append": // in place, in the backup too
		ts.Check(os.WriteFile(file, append(b, "more"...), 0o444))
		return
	case "flip":
		b[len(b)/2] ^= 4
	case "wrong": // a whole object, but another
		b = []byte("x\x9cK\xca\xc9OR0e\xc8H\xcd\xc9\xc9\xe7\x02\x00\x1d\xc5\x04\x14") // blob 5: "hello"
	case "garbage":
		b = []byte("no id of anything\n")
	case "delete":
		ts.Check(os.Remove(file))
		return
	default:
		ts.Fatalf("damage: how is '%s'?", args[0])
	}
	ts.Check(os.Remove(file)) // the backup may share it
	ts.Check(os.WriteFile(file, b, 0o444))
}

func sumOf(ts *testscript.TestScript, dir string) string {
	var out bytes.Buffer
	ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "cache" {
			return fs.SkipDir
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		fmt.Fprintf(&out, "%s %v %v %x\n", path, st.Mode(), st.ModTime().UnixNano(), sha256.Sum256(b))
		return err
	}))
	return out.String()
}

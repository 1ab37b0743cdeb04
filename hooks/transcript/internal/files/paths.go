package files

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// MaxPath is the longest path that is kept, in bytes.
const MaxPath = 500

// A Root is the folder that paths are relative to, by every name that is known of it.
type Root struct {
	Names    []string          // absolute, with slashes, without one at the end
	resolved map[string]string // folders outside of them, as the file system has them
}

// NewRoot finds out how the folder may be called: as it was given, behind all links,
// and with macOS's /private or without.
func NewRoot(dir string) *Root {
	r := &Root{resolved: map[string]string{}}
	if !filepath.IsAbs(dir) {
		return r
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir
	}
	for _, name := range []string{slashed(dir), slashed(real)} {
		r.Names = append(r.Names, name, otherName(name))
	}
	return r
}

func slashed(name string) string {
	name = filepath.ToSlash(filepath.Clean(name))
	if name == "/" {
		return ""
	}
	return name
}

// otherName is the second name of a path on macOS, where /tmp, /var and /etc are links
// into /private; the path itself if it has none.
func otherName(name string) string {
	in := strings.TrimPrefix(name, "/private")
	for _, link := range []string{"/tmp", "/var", "/etc"} {
		if in == link || strings.HasPrefix(in, link+"/") {
			if in == name {
				return "/private" + name
			}
			return in
		}
	}
	return name
}

// Rel places a path that is meant from the folder dir: relative to the root, with
// slashes, or else absolute. It is "" for what is no file of anybody's: the root itself,
// a device, what git keeps.
func (r *Root) Rel(dir, name string) (file string, inside bool) {
	if !filepath.IsAbs(name) {
		if !filepath.IsAbs(dir) || name == "" || name[0] == '~' {
			return "", false
		}
		name = filepath.Join(dir, name)
	}
	full := slashed(name)
	if full == "" || len(full) > MaxPath || strings.ContainsRune(full, 0) || isDevice(full) || gits(full) {
		return "", false
	}
	if in, ok := r.under(full); ok {
		return in, in != ""
	}
	if in := r.behindLinks(full); in != "" && !gits(in) {
		return strings.TrimPrefix(in, "/"), true
	}
	return full, false
}

// isDevice reports whether a path is a device's. In /dev/shm lie files, also work trees that
// are kept in memory.
func isDevice(full string) bool {
	return strings.HasPrefix(full, "/dev/") && !strings.HasPrefix(full, "/dev/shm/")
}

// Holds reports whether a folder is the root or lies in it.
func (r *Root) Holds(dir string) bool {
	in, inside := r.Rel(dir, "x")
	return inside && in != ""
}

// gits reports whether a path lies in a folder of git's own.
func gits(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}

// under cuts a name of the root off a path.
func (r *Root) under(full string) (in string, ok bool) {
	for _, name := range r.Names {
		if len(full) < len(name) || !samePath(full[:len(name)], name) {
			continue
		}
		if rest := full[len(name):]; rest == "" || rest[0] == '/' {
			return strings.TrimPrefix(rest, "/"), true
		}
	}
	return "", false
}

// samePath compares as the file system does: Windows writes drives both ways.
func samePath(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// behindLinks finds a folder on the way to a file that is in the root by another name;
// "" for none. What follows it keeps its name, also where that is a link: git knows it
// by that.
func (r *Root) behindLinks(full string) string {
	for at := 1; len(r.Names) > 0; at++ {
		i := strings.IndexByte(full[at:], '/')
		if i < 0 {
			return ""
		}
		at += i
		real := r.real(full[:at])
		if real == "" {
			return ""
		}
		if in, ok := r.under(real); ok {
			return path.Join(in, full[at:])
		}
	}
	return ""
}

// real is a folder behind all links; "" if there is none.
func (r *Root) real(dir string) string {
	real, ok := r.resolved[dir]
	if !ok {
		if to, err := filepath.EvalSymlinks(filepath.FromSlash(dir)); err == nil {
			real = slashed(to)
		}
		if len(r.resolved) < 1000 {
			r.resolved[dir] = real
		}
	}
	return real
}

package distill

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/git-sage/git-sage/internal/plainfile"
)

// needs is the option without which the client would run hooks and read what is not for it.
const needs = "--safe-mode"

// A probe is what was found out of a client: it is asked for its options once, and again
// when the program is another one.
type probe struct {
	Program string `json:"program"`
	Size    int64  `json:"size"`
	Time    int64  `json:"time"`
	Safe    bool   `json:"safe"`
}

// find finds a client that can be run without anything of the user's.
func (c *claude) find(ctx context.Context) (string, error) {
	program, err := lookPath(c.w, claudeTarget)
	if err != nil {
		return "", &RefusedError{err.Error(), "install Claude Code, or 'git sage config set distill off'"}
	}
	p := probe{Program: program}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		p.Program = real
	}
	if st, err := os.Stat(program); err == nil {
		p.Size, p.Time = st.Size(), st.ModTime().UnixNano()
	}
	file := filepath.Join(c.w.Home, "distill", "probe.json")
	var known probe
	err = plainfile.CheckFolder(c.w.Home, filepath.Dir(file))
	var b []byte
	if err == nil {
		b, err = plainfile.Read(file, maxOwn)
	}
	if err == nil && json.Unmarshal(b, &known) == nil && known.Program == p.Program && known.Size == p.Size && known.Time == p.Time {
		p = known
	} else if err := c.probe(ctx, program, &p); err != nil {
		return "", err
	} else if b, err := json.Marshal(p); err == nil {
		_ = writeFile(c.w.Home, file, b) // else it is asked again
	}
	if !p.Safe {
		return "", &RefusedError{"this Claude Code has no " + needs + ": its hooks would run", "claude update"}
	}
	return program, nil
}

// probe asks a client for its options.
func (c *claude) probe(ctx context.Context, program string, p *probe) error {
	dir, err := c.emptyFolder()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, claudeWithin)
	defer cancel()
	cmd := c.command(ctx, program, dir, "--help")
	var out limited
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("claude --help: %w", err)
	}
	p.Safe = bytes.Contains(out.Bytes(), []byte(needs))
	return nil
}

// lookPath finds a program on the PATH of a world.
func lookPath(w World, name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(w.getenv("PATH")) {
		file := filepath.Join(dir, name)
		if st, err := os.Stat(file); err == nil && filepath.IsAbs(file) && st.Mode().IsRegular() && (runtime.GOOS == "windows" || st.Mode()&0o111 != 0) {
			return file, nil
		}
	}
	return "", fmt.Errorf("there is no '%s' on the PATH", name)
}

// resets matches when the client says that a window of use begins anew: "resets 4:40am
// (UTC)", "resets 3pm (Europe/Berlin)".
var resets = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`resets (\d{1,2})(?::(\d{2}))?(am|pm)(?: \(([A-Za-z0-9_/+-]+)\))?`)
})

// resetIn is how long that is from now, 0 if it does not say so.
func resetIn(said string, now time.Time) time.Duration {
	m := resets().FindStringSubmatch(said)
	if m == nil {
		return 0
	}
	zone, err := time.LoadLocation(m[4])
	if err != nil || m[4] == "" {
		zone = now.Location()
	}
	hour, _ := strconv.Atoi(m[1])
	minute, _ := strconv.Atoi(m[2])
	if hour %= 12; m[3] == "pm" {
		hour += 12
	}
	here := now.In(zone)
	at := time.Date(here.Year(), here.Month(), here.Day(), hour, minute, 0, 0, zone)
	if !at.After(now) {
		at = at.AddDate(0, 0, 1)
	}
	return at.Sub(now) + time.Minute
}

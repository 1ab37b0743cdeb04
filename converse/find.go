package converse

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
func (p Program) find(ctx context.Context) (string, error) {
	program, err := p.lookPath()
	if err != nil {
		return "", &RefusedError{err.Error(), "install Claude Code, or 'git sage config set " + p.Setting + " <address>'"}
	}
	now := probe{Program: program}
	if real, err := filepath.EvalSymlinks(program); err == nil {
		now.Program = real
	}
	if st, err := os.Stat(program); err == nil {
		now.Size, now.Time = st.Size(), st.ModTime().UnixNano()
	}
	file := filepath.Join(p.Home, "distill", "probe.json")
	var known probe
	err = plainfile.CheckFolder(p.Home, filepath.Dir(file))
	var b []byte
	if err == nil {
		b, err = plainfile.Read(file, maxProbe)
	}
	if err == nil && json.Unmarshal(b, &known) == nil && known.Program == now.Program && known.Size == now.Size && known.Time == now.Time {
		now = known
	} else if err := p.probe(ctx, program, &now); err != nil {
		return "", err
	} else if b, err := json.Marshal(now); err == nil && plainfile.MakeFolderIn(p.Home, filepath.Dir(file)) == nil {
		_ = plainfile.Write(file, b) // else it is asked again
	}
	if !now.Safe {
		return "", &RefusedError{"this Claude Code has no " + needs + ": its hooks would run", "claude update"}
	}
	return program, nil
}

// maxProbe is above what a probe has in bytes.
const maxProbe = 16 << 10

// probe asks a client for its options.
func (p Program) probe(ctx context.Context, program string, found *probe) error {
	dir, err := p.emptyFolder()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, claudeWithin)
	defer cancel()
	cmd := p.command(ctx, program, dir, 1, "--help")
	var out Limited
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("claude --help: %w", err)
	}
	found.Safe = bytes.Contains(out.Bytes(), []byte(needs))
	return nil
}

// lookPath finds the program on the PATH of its world.
func (p Program) lookPath() (string, error) {
	name := Claude
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(p.Getenv("PATH")) {
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

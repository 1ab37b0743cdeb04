package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// An installation is what it took to install a tool, kept beside it for the next run.
type installation struct {
	Seconds, Processor float64
	Bytes              int64
	Version, Date      string
	Failed             string `json:",omitempty"`
}

const installLimit = 15 * time.Minute

// install installs a tool into dir, with caches that are empty and removed afterwards, unless
// an earlier run installed the same version.
func (t *tool) install(dir string) installation {
	var got installation
	record := filepath.Join(dir, "installed.json")
	if b, err := os.ReadFile(record); err == nil && json.Unmarshal(b, &got) == nil && got.Version == t.version {
		return got
	}
	_ = os.RemoveAll(dir)
	got = t.installNew(dir)
	if b, err := json.Marshal(got); err == nil && got.Failed == "" {
		_ = os.WriteFile(record, b, 0o666)
	}
	return got
}

func (t *tool) installNew(dir string) (got installation) {
	got.Version, got.Date = t.version, time.Now().UTC().Format(time.DateOnly)
	caches := filepath.Join(dir, "caches")
	if err := os.MkdirAll(caches, 0o777); err != nil {
		got.Failed = err.Error()
		return got
	}
	defer os.RemoveAll(caches)
	ctx, cancel := context.WithTimeout(context.Background(), installLimit)
	defer cancel()
	start := time.Now()
	for _, args := range t.setup(dir) {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.WaitDelay = 5 * time.Second
		cmd.Env = append(os.Environ(), "TMPDIR="+caches, "npm_config_cache="+caches, "PIP_NO_CACHE_DIR=1", "PIP_DISABLE_PIP_VERSION_CHECK=1",
			"GOCACHE="+filepath.Join(caches, "build"), "GOMODCACHE="+filepath.Join(caches, "modules"), "GOFLAGS=-modcacherw")
		out, err := cmd.CombinedOutput()
		if ctx.Err() != nil {
			err = fmt.Errorf("not done after %s", installLimit)
		}
		if err != nil {
			got.Failed = oneLine(fmt.Sprintf("%s: %v: %s", filepath.Base(args[0]), err, cause(string(out))))
			return got
		}
		got.Processor += (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	got.Seconds = time.Since(start).Seconds()
	_ = os.RemoveAll(caches)
	size, err := sizeOf(dir)
	if err != nil {
		got.Failed = err.Error()
	}
	got.Bytes = size
	return got
}

// cause is the line of an output that says what went wrong: the last that names an error.
func cause(out string) string {
	last := ""
	for line := range strings.Lines(out) {
		low := strings.ToLower(line)
		if last == "" || strings.Contains(low, "error") && strings.Contains(low, ": ") && !strings.Contains(low, "/_logs/") {
			last = line
		}
		if strings.Contains(low, "enotfound") || strings.Contains(low, "no matching distribution") {
			return line
		}
	}
	return last
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 160 {
		s = string(r[:160]) + "..."
	}
	return s
}

// sizeOf adds up the regular files below dir, each as often as it is there.
func sizeOf(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}

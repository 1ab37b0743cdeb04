package logfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLogIsPrivateAndBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dir", "a.log")
	long := strings.Repeat("x", 9000)
	for range 2 * maxLog / maxEntry {
		Append(file, time.Time{}, "e", long)
	}
	for _, f := range []string{file, file + ".1"} {
		st, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		if st.Size() > maxLog+10_000 || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %d bytes, mode %s", f, st.Size(), st.Mode())
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "victim")
	if err := errors.Join(os.Remove(file), os.Symlink(elsewhere, file)); err != nil {
		t.Fatal(err)
	}
	Append(file, time.Time{}, "e", long)
	if _, err := os.Stat(elsewhere); err == nil || Tail(file, 3) != nil {
		t.Error("the log followed a link")
	}
}

func TestTail(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.log")
	if got := Tail(file, 3); got != nil {
		t.Errorf("of none: %q", got)
	}
	for i := range 3000 {
		Append(file, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "e", fmt.Sprintf("entry %d \x1b[31m", i))
	}
	want := []string{"2026-01-01T00:00:00Z e: entry 2998 \\u{1b}[31m", "2026-01-01T00:00:00Z e: entry 2999 \\u{1b}[31m"}
	if got := Tail(file, 2); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := Tail(file, 1<<20); len(got) != 3000 {
		t.Errorf("%d lines", len(got))
	}
}

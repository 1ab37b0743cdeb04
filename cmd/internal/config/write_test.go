package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSet(t *testing.T) {
	tests := []struct{ name, before, key, value, after string }{
		{"new file", "", "enabled", "no", "enabled: false\n"},
		{"append", "# mine\n\nother: 1 # kept\n", "recallThreshold", "0.80", "# mine\n\nother: 1 # kept\nrecall_threshold: 0.8\n"},
		{"no final newline", "other: 1", "enabled", "true", "other: 1\nenabled: true\n"},
		{"in place", "# a\n\nrecall_threshold:  0.7   # why\n\nother: x\n", "recall_threshold", "0.8", "# a\n\nrecall_threshold:  0.8   # why\n\nother: x\n"},
		{"quoted", "enabled: 'false' # it's\nother: x\n", "enabled", "true", "enabled: true # it's\nother: x\n"},
		{"double quoted", "skill: \"a\\\"b\"\n", "skill", "privacy", "skill: privacy\n"},
		{"empty value", "enabled:\nother: x\n", "enabled", "true", "other: x\nenabled: true\n"},
		{"crlf", "\ufeffenabled: true\r\nother: x\r\n", "enabled", "false", "\ufeffenabled: false\r\nother: x\r\n"},
		{"crlf append", "other: x\r\n", "enabled", "false", "other: x\r\nenabled: false\r\n"},
		{"twice", "enabled: true\nenabled: true\n", "enabled", "false", "enabled: true\nenabled: false\n"},
		{"flow", "{enabled: true, other: [1, 2]}\n", "enabled", "false", "{other: [1, 2], enabled: false}\n"},
		{"block list", "modules:\n  - core\n  - code\nother: x # kept\n", "modules", "core", "other: x # kept\nmodules: [core]\n"},
		{"text that looks like a switch", "", "sign", "true", "sign: \"true\"\n"},
		{"wide", "other: \"日本\"\nskill: 'x' # 日本\n", "skill", "y", "other: \"日本\"\nskill: \"y\" # 日本\n"},
		{"two line value", "skill: a\n  b\nother: x\n", "skill", "c", "other: x\nskill: c\n"},
		{"comments only", "# nothing yet", "enabled", "true", "# nothing yet\nenabled: true\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := filepath.Join(t.TempDir(), "sub", "tuning.yaml")
			if tt.before != "" {
				p = write(t, "tuning.yaml", tt.before)
			}
			if err := (File{Path: p}).Set(tt.key, tt.value); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(p), ".tuning-*")); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

func TestSetRefuses(t *testing.T) {
	tests := []struct {
		before, key, value string
		project            bool
		want               string
	}{
		{"", "recall_threshold", "7", false, "recall_threshold is '7', expected a number from 0 to 1"},
		{"", "recall_treshold", "0.7", false, "unknown key 'recall_treshold', did you mean 'recall_threshold'"},
		{"", "zzz", "0.7", false, "unknown key 'zzz'"},
		{"", "transcripts", "shared", true, "transcripts is for the user's own configuration only"},
		{"enabled: [", "enabled", "false", false, "not valid YAML"},
		{"- a\n", "enabled", "false", false, "nothing was written"},
		{"enabled: &x true\nother: *x\n", "enabled", "false", false, "edit it by hand"},
	}
	for _, tt := range tests {
		p := write(t, "tuning.yaml", tt.before)
		err := File{p, tt.project}.Set(tt.key, tt.value)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%s: %v, want %q", tt.key, tt.value, err, tt.want)
		}
		if got, _ := os.ReadFile(p); string(got) != tt.before {
			t.Errorf("%s=%s: the file is now %q", tt.key, tt.value, got)
		}
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes there")
	}
	dir := t.TempDir()
	user, project := filepath.Join(dir, "u", "tuning.yaml"), write(t, ".sage/tuning.yaml", "")
	if err := os.Chmod(project, 0o664); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{user: 0o600, project: 0o664} {
		if err := (File{path, path == project}).Set("enabled", "true"); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, info.Mode(), err, want)
		}
	}
}

func TestReset(t *testing.T) {
	tests := []struct {
		name, before string
		keys         []string
		removed      []string
		after        string // "-" is no file
	}{
		{"all", "enabled: false\nsign: auto\n_version: 1\n", nil, []string{"enabled", "sign"}, "-"},
		{"keeps the unknown", "# mine\nenabled: false\n\nother: x # kept\n", nil, []string{"enabled"}, "# mine\n\nother: x # kept\n"},
		{"one", "enabled: false\nsign: auto\n", []string{"sign"}, []string{"sign"}, "enabled: false\n"},
		{"twice", "enabled: false\nenabled: true\nother: x\n", nil, []string{"enabled"}, "other: x\n"},
		{"list", "modules:\n- core\nother: x\n", nil, []string{"modules"}, "other: x\n"},
		{"nothing", "other: x\n", nil, nil, "other: x\n"},
		{"missing", "", []string{"enabled"}, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := write(t, "tuning.yaml", tt.before)
			removed, err := File{Path: p}.Reset(tt.keys...)
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(removed)
			if diff := cmp.Diff(tt.removed, removed); diff != "" {
				t.Errorf("removed (-want +got):\n%s", diff)
			}
			got, err := os.ReadFile(p)
			if tt.after == "-" {
				if err == nil {
					t.Errorf("the file is still there: %q", got)
				}
			} else if string(got) != tt.after {
				t.Errorf("%q, want %q", got, tt.after)
			}
		})
	}
}

// Whatever the file: a set value is read back, the others stay, and reset
// takes it out again.
func FuzzSet(f *testing.F) {
	for _, s := range []string{"", "enabled: false # x\nother: 1\n", "{a: b}", "a: |\n  b\n\nenabled: yes\n", "\ufeffa: b\r\n", "? enabled\n: true\n", "enabled: true\nenabled: false\n"} {
		f.Add([]byte(s), "false")
		f.Add([]byte(s), "on")
	}
	f.Fuzz(func(t *testing.T, data []byte, value string) {
		p := filepath.Join(t.TempDir(), "tuning.yaml")
		if err := os.WriteFile(p, data, 0o600); err != nil {
			t.Fatal(err)
		}
		want, ok := parseBool(strings.TrimSpace(value))
		if err := (File{Path: p}).Set("enabled", value); err != nil || !ok {
			if got, _ := os.ReadFile(p); string(got) != string(data) || !ok && err == nil {
				t.Fatalf("refused (%v), and yet written: %q", err, got)
			}
			return
		}
		before, _ := parseFile(data)
		got, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		after, err := parseFile(got)
		if err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		if diff := cmp.Diff(others(before, "enabled"), others(after, "enabled")); diff != "" {
			t.Errorf("other keys (-before +after):\n%s", diff)
		}
		if c := load(t, Sources{User: p}); c.Bool("enabled") != want {
			t.Errorf("read back %v from %q", c.Bool("enabled"), got)
		}
	})
}

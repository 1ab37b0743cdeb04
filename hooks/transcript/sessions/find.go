// Package sessions finds the transcripts that the client keeps, by session, by subagent and
// by work tree.
package sessions

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-sage/git-sage/hooks/transcript/internal/record"
)

// Find returns the transcript of a session among those in the client's folder, such as
// ~/.claude.
func Find(folder, session string) (string, error) {
	if session == "" || strings.Trim(session, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" {
		return "", fmt.Errorf("session '%s': %w", session, record.ErrNone)
	}
	projects := filepath.Join(folder, "projects")
	entries, err := os.ReadDir(projects)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	for _, e := range entries {
		name := filepath.Join(projects, e.Name(), session+".jsonl")
		if st, err := os.Stat(name); err == nil && st.Mode().IsRegular() {
			return name, nil
		}
	}
	return "", fmt.Errorf("session '%s' in '%s': %w", session, projects, record.ErrNone)
}

// Subagents returns the transcripts of the subagents of a session, by name: they stand
// in a folder beside the session's own transcript. Links are left out: they may lead
// anywhere.
func Subagents(file string) ([]string, error) {
	folder := filepath.Join(strings.TrimSuffix(file, ".jsonl"), "subagents")
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if ok, _ := filepath.Match("agent-*.jsonl", e.Name()); ok && e.Type().IsRegular() {
			list = append(list, filepath.Join(folder, e.Name()))
		}
	}
	return list, nil
}

// IsPath reports whether a client may mean a transcript by a path: an absolute one, of a file
// that it could have written.
func IsPath(file string) bool {
	return filepath.IsAbs(file) && filepath.Ext(file) == ".jsonl" && len(file) <= 4096
}

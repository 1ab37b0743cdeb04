package gitstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-sage/git-sage/gitstore/internal/fsx"
)

// A configCache is what git said of its configuration, and the state of every
// file that it was read from or might come to be read from. As long as these
// files are as they were, a plain repository needs no process to know its
// settings; every command and hook waited a millisecond for one.
//
// Nothing is kept where the configuration includes other files, whose conditions
// only git can judge, nor while a file is so young that it may change without
// its time changing.
type configCache struct {
	Format int               `json:"format"`
	Files  string            `json:"files"` // see configFiles
	Value  map[string]string `json:"value"`
	Scope  map[string]string `json:"scope"`
}

const (
	configCacheFormat = 1
	tooYoung          = 2 * time.Second
)

// kept are the sections whose keys are kept. Others may hold what is secret,
// such as the headers of a proxy.
var keptSections = []string{"user.", "author.", "committer.", "sage.", "commit.gpgsign", "gpg.", "color.", "log.", "pager.",
	"core.abbrev", "core.pager", "core.sharedrepository", "core.commentchar", "core.editor"}

func (s *Store) configCacheFile() string { return s.dir("cache", "config.json") }

func (s *Store) cachedConfig() (*settings, bool) {
	if !s.where.plain {
		return nil, false
	}
	var c configCache
	b, err := fsx.ReadOwn(s.configCacheFile())
	if err != nil || json.Unmarshal(b, &c) != nil || c.Format != configCacheFormat {
		return nil, false
	}
	files, _ := s.configFiles()
	return &settings{c.Value, c.Scope}, c.Files == files
}

// keepConfig keeps what git answered. files is the state of the files before
// git was asked.
func (s *Store) keepConfig(files string, young bool, c *settings) {
	if !s.where.plain || young {
		return
	}
	keep := configCache{configCacheFormat, files, map[string]string{}, map[string]string{}}
	for key, value := range c.value {
		if strings.HasPrefix(key, "include") {
			return
		}
		for _, section := range keptSections {
			if strings.HasPrefix(key, section) {
				keep.Value[key], keep.Scope[key] = value, c.scope[key]
			}
		}
	}
	if b, err := json.Marshal(keep); err == nil {
		_ = fsx.WriteDerived(s.configCacheFile(), b, 0o600)
	}
}

// configFiles is the state of every file that git's configuration of a plain
// repository can come from, as text to compare, and whether one of them, or our
// answer about it, is too young to be told from its next state.
func (s *Store) configFiles() (state string, young bool) {
	var b bytes.Buffer
	for _, file := range s.configPaths() {
		st, err := fsx.Stat(file)
		if err != nil {
			fmt.Fprintf(&b, "%s -\n", file)
			continue
		}
		fmt.Fprintf(&b, "%s %d %d %v\n", file, st.Size(), st.ModTime().UnixNano(), fsx.Inode(st))
		young = young || time.Since(st.ModTime()) < tooYoung
	}
	return b.String(), young
}

func (s *Store) configPaths() []string {
	env := map[string]string{}
	for _, kv := range s.git.Env() {
		name, value, _ := strings.Cut(kv, "=")
		env[name] = value
	}
	prefix := filepath.Dir(filepath.Dir(s.git.Path()))
	paths := []string{s.git.Path(), filepath.Join(s.where.gitDir, "config"), filepath.Join(s.where.gitDir, "config.worktree"),
		"/etc/gitconfig", filepath.Join(prefix, "etc", "gitconfig"), env["GIT_CONFIG_SYSTEM"],
		"GIT_CONFIG_NOSYSTEM=" + env["GIT_CONFIG_NOSYSTEM"]} // no file, but what git makes of those of the system
	if file, ok := env["GIT_CONFIG_GLOBAL"]; ok {
		return append(paths, file)
	}
	xdg := env["XDG_CONFIG_HOME"]
	if xdg == "" {
		xdg = filepath.Join(env["HOME"], ".config")
	}
	return append(paths, filepath.Join(xdg, "git", "config"), filepath.Join(env["HOME"], ".gitconfig"))
}

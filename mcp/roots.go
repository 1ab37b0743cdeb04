package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/protocol"
)

// Some clients start a server of the user's in whatever folder they run in themselves,
// and tell those that they work in only when they are asked.

const (
	methodInitialized  = "notifications/initialized"
	methodRoots        = "roots/list"
	methodRootsChanged = "notifications/roots/list_changed"
	rootsWithin        = 2 * time.Second // then a call goes on without
)

// shaken takes a half of the handshake, the answer to initialize or what the client sends
// behind it. Behind both, which need not come in that order, questions may be asked.
func (s *client) shaken(half *bool) {
	s.mu.Lock()
	first := !*half
	*half = true
	s.mu.Unlock()
	if first {
		s.askRoots()
	}
}

// askRoots asks for the folders. The answer comes as a message of its own.
func (s *client) askRoots() {
	s.mu.Lock()
	ask := s.Roots != nil && s.hasRoots && s.greetedBack && s.ready
	if ask {
		s.asked++
		if s.rooted == nil {
			s.rooted = make(chan struct{})
		}
	}
	id := rootsID(s.asked)
	s.mu.Unlock()
	if ask {
		s.send(map[string]any{"jsonrpc": proto.JSONRPC_VERSION, "id": id, "method": methodRoots})
	}
}

func rootsID(n int) string { return "roots-" + strconv.Itoa(n) }

// answered takes the answer to the last question; any other is none of ours.
func (s *client) answered(r protocol.Request) {
	var id string
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rooted == nil || json.Unmarshal(r.ID, &id) != nil || id != rootsID(s.asked) {
		return
	}
	if folders := readRoots(r.Answer); len(folders) > 0 {
		s.Roots(folders)
	}
	select {
	case <-s.rooted:
	default:
		close(s.rooted)
	}
}

// awaitRoots waits until it is known which folders the client has open, if it was asked.
func (s *client) awaitRoots(ctx context.Context) {
	s.mu.Lock()
	rooted := s.rooted
	s.mu.Unlock()
	if rooted == nil {
		return
	}
	t := time.NewTimer(rootsWithin)
	defer t.Stop()
	select {
	case <-rooted:
		return
	case <-ctx.Done():
		return
	case <-t.C:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-rooted:
	default:
		close(rooted) // nobody waits for it a second time
	}
}

// readRoots are the folders in an answer, as absolute paths.
func readRoots(answer any) (folders []string) {
	m, _ := answer.(map[string]any)
	list, _ := m["roots"].([]any)
	for _, v := range list {
		root, _ := v.(map[string]any)
		uri, _ := root["uri"].(string)
		if dir := folderOf(uri); dir != "" {
			folders = append(folders, dir)
		}
	}
	return folders
}

// folderOf is the path of a file: URI on this machine, "" if it is none.
func folderOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || strings.ContainsRune(u.Path, 0) {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // of /c:/work
	}
	if path = filepath.FromSlash(path); !filepath.IsAbs(path) {
		return ""
	}
	return filepath.Clean(path)
}

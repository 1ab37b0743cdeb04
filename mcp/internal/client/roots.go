package client

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
	MethodInitialized  = "notifications/initialized"
	methodRoots        = "roots/list"
	MethodRootsChanged = "notifications/roots/list_changed"
	rootsWithin        = 2 * time.Second // then a call goes on without
)

// shaken takes a half of the handshake, the answer to initialize or what the client sends
// behind it. Behind both, which need not come in that order, questions may be asked.
func (c *Client) shaken(half *bool) {
	c.mu.Lock()
	first := !*half
	*half = true
	c.mu.Unlock()
	if first {
		c.AskRoots()
	}
}

// AskRoots asks for the folders. The answer comes as a message of its own.
func (c *Client) AskRoots() {
	c.mu.Lock()
	ask := c.Roots != nil && c.hasRoots && c.greetedBack && c.ready
	if ask {
		c.asked++
		if c.rooted == nil {
			c.rooted = make(chan struct{})
		}
	}
	id := rootsID(c.asked)
	c.mu.Unlock()
	if ask {
		c.Send(map[string]any{"jsonrpc": proto.JSONRPC_VERSION, "id": id, "method": methodRoots})
	}
}

func rootsID(n int) string { return "roots-" + strconv.Itoa(n) }

// Answered takes the answer to the last question; any other is none of ours.
func (c *Client) Answered(r protocol.Request) {
	var id string
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rooted == nil || json.Unmarshal(r.ID, &id) != nil || id != rootsID(c.asked) {
		return
	}
	if folders := readRoots(r.Answer); len(folders) > 0 {
		c.Roots(folders)
	}
	select {
	case <-c.rooted:
	default:
		close(c.rooted)
	}
}

// AwaitRoots waits until it is known which folders the client has open, if it was asked.
func (c *Client) AwaitRoots(ctx context.Context) {
	c.mu.Lock()
	rooted := c.rooted
	c.mu.Unlock()
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
	c.mu.Lock()
	defer c.mu.Unlock()
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

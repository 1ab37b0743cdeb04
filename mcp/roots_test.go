package mcp

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/git-sage/git-sage/recall"
)

// asked starts a server that asks for folders, and shakes hands as a client that has some.
func asked(t *testing.T, capabilities string) (k *talk, told chan []string, opened chan struct{}) {
	told, opened = make(chan []string, 9), make(chan struct{}, 9)
	k = open(t, Options{
		Roots: func(list []string) { told <- list },
		Open: func(context.Context, string) (*recall.Memory, error) {
			opened <- struct{}{}
			return nil, errors.New("not here")
		},
	})
	k.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":` + capabilities + `,"clientInfo":{"name":"x"}}}`)
	k.next()
	k.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return k, told, opened
}

// The client is asked which folders it has open, and a call waits for the answer.
func TestRoots(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of Unix")
	}
	k, told, opened := asked(t, `{"roots":{"listChanged":true}}`)
	if q := k.next(); q.Method != "roots/list" || q.ID != "roots-1" {
		t.Fatalf("asked %+v", q)
	}
	k.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sage_list_checkpoints"}}`)
	k.send(`{"jsonrpc":"2.0","id":"roots-9","result":{"roots":[{"uri":"file:///other"}]}}`)
	k.send(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	if r := k.next(); r.ID != 8.0 || len(opened)+len(told) > 0 {
		t.Errorf("%+v came, with %d memories opened and %d answers taken", r, len(opened), len(told))
	}
	k.send(`{"jsonrpc":"2.0","id":"roots-1","result":{"roots":[{"uri":"file:///work/a%20b/","name":"x"},{"uri":"https://x/y"},{"uri":"file://host/x"},{},3]}}`)
	if list := <-told; !slices.Equal(list, []string{filepath.FromSlash("/work/a b")}) {
		t.Errorf("folders %q", list)
	}
	if r := k.next(); r.ID != 7.0 {
		t.Errorf("%+v", r)
	}

	// it tells that they changed, and is asked again; an error is no answer
	k.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	if q := k.next(); q.ID != "roots-2" {
		t.Errorf("asked %+v", q)
	}
	k.send(`{"jsonrpc":"2.0","id":"roots-2","error":{"code":-32601,"message":"no"}}`)
	k.send(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"sage_list_checkpoints"}}`)
	if r := k.next(); r.ID != 9.0 || len(told) > 0 {
		t.Errorf("%+v, %d answers taken", r, len(told))
	}
}

// A client without folders is not asked.
func TestNoRoots(t *testing.T) {
	k, _, _ := asked(t, `{}`)
	k.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sage_list_checkpoints"}}`)
	if r := k.next(); r.ID != 7.0 {
		t.Errorf("%+v", r)
	}
}

// A client that does not answer is waited for once, not at every call.
func TestRootsUnanswered(t *testing.T) {
	k, told, opened := asked(t, `{"roots":{}}`)
	k.next()
	for id := range 3 {
		k.ask("tools/call", map[string]any{"name": "sage_list_checkpoints"})
		if len(opened) != id+1 || len(told) > 0 {
			t.Errorf("%d memories opened", len(opened))
		}
	}
}

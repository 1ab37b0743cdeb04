package client

import (
	"context"
	"slices"

	proto "github.com/mark3labs/mcp-go/mcp"
)

// Tools come in modules, so that who needs few pays for few: a model is shown the
// schemas of all that are offered.
const (
	ModuleCore      = "core"
	ModuleKnowledge = "knowledge"
	ModuleCode      = "code"
	ModuleExtras    = "extras"
)

// AllModules are what a client is offered unless somebody chose.
var AllModules = []string{ModuleCore, ModuleKnowledge, ModuleCode, ModuleExtras}

// Modules are those that are offered. They stay as they are until somebody asks for
// the settings to be read again: a client asks for the tools once.
func (c *Client) Modules(ctx context.Context) []string {
	c.asking.Lock() // not mu: what is asked may take as long as git does
	defer c.asking.Unlock()
	if c.offers == nil {
		c.offers = c.askModules(ctx)
	}
	return c.offers
}

// Reload asks for the modules again, and returns those before and now. The client is
// told that tools and prompts are others, if they are.
func (c *Client) Reload(ctx context.Context) (before, after []string) {
	before = c.Modules(ctx)
	c.asking.Lock()
	defer c.asking.Unlock()
	c.offers = c.askModules(ctx)
	if c.mayNotify() && !slices.Equal(before, c.offers) {
		c.tell(proto.MethodNotificationToolsListChanged)
		if !slices.Equal(c.prompted(before), c.prompted(c.offers)) {
			c.tell(proto.MethodNotificationPromptsListChanged)
		}
	}
	return before, c.offers
}

// tell sends a notification without anything in it.
func (c *Client) tell(method string) {
	c.Send(proto.JSONRPCNotification{JSONRPC: proto.JSONRPC_VERSION, Notification: proto.Notification{Method: method}})
}

// mayNotify reports whether the client takes notifications that it did not ask for, which
// since 2026-07-28 it does not.
func (c *Client) mayNotify() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shook
}

func (c *Client) askModules(ctx context.Context) []string {
	if c.Options.Modules == nil {
		return AllModules
	}
	list, err := c.Options.Modules(ctx)
	if err != nil {
		c.Logf("modules: %v", err)
	}
	if err != nil || len(list) == 0 {
		return AllModules
	}
	return list
}

package mcp

import (
	"context"
	"slices"

	proto "github.com/mark3labs/mcp-go/mcp"
)

// Tools come in modules, so that who needs few pays for few: a model is shown the
// schemas of all that are offered.
const (
	moduleCore      = "core"
	moduleKnowledge = "knowledge"
	moduleCode      = "code"
	moduleExtras    = "extras"
)

var allModules = []string{moduleCore, moduleKnowledge, moduleCode, moduleExtras}

func in(module string, list ...tool) []tool {
	for i := range list {
		list[i].module = module
	}
	return list
}

// alwaysOffered are told of in the instructions, and needed to mend the setting.
var alwaysOffered = []string{"sage_version", "sage_health"}

func (t *tool) offered(modules []string) bool {
	return slices.Contains(modules, t.module) || slices.Contains(alwaysOffered, t.name)
}

// modules are those that are offered. They stay as they are until somebody asks for
// the settings to be read again: a client asks for the tools once.
func (s *client) modules(ctx context.Context) []string {
	s.asking.Lock() // not mu: what is asked may take as long as git does
	defer s.asking.Unlock()
	if s.offers == nil {
		s.offers = s.askModules(ctx)
	}
	return s.offers
}

// reload asks for the modules again, and returns those before and now. The client is
// told that tools and prompts are others, if they are.
func (s *client) reload(ctx context.Context) (before, after []string) {
	before = s.modules(ctx)
	s.asking.Lock()
	defer s.asking.Unlock()
	s.offers = s.askModules(ctx)
	if s.mayNotify() && !slices.Equal(before, s.offers) {
		s.tell(proto.MethodNotificationToolsListChanged)
		if !slices.Equal(s.prompted(before), s.prompted(s.offers)) {
			s.tell(proto.MethodNotificationPromptsListChanged)
		}
	}
	return before, s.offers
}

// tell sends a notification without anything in it.
func (s *client) tell(method string) {
	s.send(proto.JSONRPCNotification{JSONRPC: proto.JSONRPC_VERSION, Notification: proto.Notification{Method: method}})
}

// mayNotify reports whether the client takes notifications that it did not ask for, which
// since 2026-07-28 it does not.
func (s *client) mayNotify() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shook
}

func (s *client) askModules(ctx context.Context) []string {
	if s.Options.Modules == nil {
		return allModules
	}
	list, err := s.Options.Modules(ctx)
	if err != nil {
		s.logf("modules: %v", err)
	}
	if err != nil || len(list) == 0 {
		return allModules
	}
	return list
}

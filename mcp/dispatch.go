package mcp

import (
	"context"
	"encoding/json"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/protocol"
)

// Since 2026-07-28 there is no handshake: a request carries the version of the
// protocol, and these methods are gone. What is older is served as it was.
var handshake = map[string]bool{string(proto.MethodInitialize): true, string(proto.MethodPing): true}

// dispatch answers a request.
func (s *session) dispatch(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
	modern, e := s.era(r)
	if e != nil {
		return nil, e
	}
	if modern && handshake[r.Method] {
		return nil, unknownMethod(r)
	}
	result, e := s.method(ctx, r, modern)
	if e != nil || !modern {
		return result, e
	}
	return s.modernise(result), nil
}

func (s *session) method(ctx context.Context, r protocol.Request, modern bool) (any, *protocol.Error) {
	switch m := proto.MCPMethod(r.Method); {
	case m == proto.MethodInitialize:
		return s.initialize(ctx, r)
	case m == proto.MethodPing:
		return &proto.EmptyResult{}, nil
	case m == proto.MethodServerDiscover && modern:
		return &proto.DiscoverResult{
			SupportedVersions: proto.ValidProtocolVersions, Capabilities: s.capabilities(ctx, false), Instructions: s.instructions(),
		}, nil
	case m == proto.MethodSubscriptionsListen && modern:
		return s.subscribe(r), nil
	case s.isHook(r):
		return s.hook(ctx, r)
	case s.o.Elsewhere:
		return nil, unknownMethod(r)
	case m == proto.MethodToolsList:
		return &proto.ListToolsResult{Tools: toolList(s.modules(ctx))}, nil
	case m == proto.MethodToolsCall:
		return s.call(ctx, r)
	case m == proto.MethodPromptsList:
		return s.listPrompts(ctx, r)
	case m == proto.MethodPromptsGet:
		return s.getPrompt(ctx, r)
	case m == proto.MethodResourcesList:
		return s.listResources(ctx, r)
	case m == proto.MethodResourcesTemplatesList:
		return &proto.ListResourceTemplatesResult{ResourceTemplates: resourceTemplates()}, nil
	case m == proto.MethodResourcesRead:
		return s.readResource(ctx, r, modern)
	}
	return nil, unknownMethod(r)
}

func unknownMethod(r protocol.Request) *protocol.Error {
	return protocol.Errorf(proto.METHOD_NOT_FOUND, "method %q is not known here", r.Method)
}

// era tells whether a request is of the protocol without a handshake, and
// takes note of who sends it.
func (s *session) era(r protocol.Request) (modern bool, e *protocol.Error) {
	version := r.Meta.ProtocolVersion()
	if !proto.IsModernProtocol(version) {
		return false, nil
	}
	if !proto.IsValidProtocolVersion(version) {
		u := proto.UnsupportedProtocolVersionError{Version: version, Supported: proto.ValidProtocolVersions}
		return true, &protocol.Error{Code: u.JSONRPCError().Error.Code, Message: u.Error(), Data: u.JSONRPCError().Error.Data}
	}
	if r.Meta.ClientCapabilities() == nil {
		return true, protocol.Errorf(proto.INVALID_PARAMS, "_meta: %s is missing", proto.MetaKeyClientCapabilities)
	}
	if c := r.Meta.ClientInfo(); c != nil {
		s.met(c.Name)
	}
	return true, nil
}

// modernise adds what results carry since 2026-07-28.
func (s *session) modernise(result any) any {
	m, ok := result.(proto.ResultMetadata)
	if !ok {
		return result
	}
	if m.GetResultType() == "" {
		m.SetResultType(proto.ResultTypeComplete)
	}
	m.EnsureResultMeta().SetServerInfo(s.serverInfo())
	if c, ok := result.(proto.CacheHintSetter); ok {
		c.SetCacheHints(0, proto.CacheScopePrivate)
	}
	return result
}

func (s *session) initialize(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
	var p proto.InitializeParams
	b, err := json.Marshal(r.Params)
	if err == nil {
		err = json.Unmarshal(b, &p)
	}
	if err != nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "initialize: %s", err)
	}
	s.met(p.ClientInfo.Name)
	s.mu.Lock()
	s.shook, s.hasRoots = true, p.Capabilities.Roots != nil
	s.mu.Unlock()
	*r.Settle = func(bool) { s.shaken(&s.greetedBack) }
	return &proto.InitializeResult{
		ProtocolVersion: proto.NegotiateLegacyVersion(p.ProtocolVersion), Capabilities: s.capabilities(ctx, true),
		ServerInfo: s.serverInfo(), Instructions: s.instructions(),
	}, nil
}

// subscribe acknowledges a subscription to nothing: the tools change when their user
// changes a setting, and the answer to that says so.
func (s *session) subscribe(r protocol.Request) any {
	s.write(map[string]any{
		"jsonrpc": proto.JSONRPC_VERSION,
		"method":  proto.MethodNotificationSubscriptionsAcknowledged,
		"params": map[string]any{
			"notifications": proto.SubscriptionFilter{},
			"_meta":         map[string]any{proto.MetaKeySubscriptionID: r.ID},
		},
	})
	result := &proto.SubscriptionsListenResult{}
	result.EnsureResultMeta().SetSubscriptionID(r.ID)
	return result
}

func (s *session) serverInfo() proto.Implementation {
	return proto.Implementation{Name: "git-sage", Version: s.o.Version, Title: "git-sage memory"}
}

// capabilities say whether the client will be told that the tools have changed, and
// whether there are prompts in the modules that are offered.
func (s *session) capabilities(ctx context.Context, told bool) (c proto.ServerCapabilities) {
	if s.o.Elsewhere {
		return c
	}
	c.Tools = &struct {
		ListChanged bool `json:"listChanged,omitempty"`
	}{ListChanged: told}
	if len(promptsOf(s.modules(ctx))) > 0 {
		c.Prompts = &struct {
			ListChanged bool `json:"listChanged,omitempty"`
		}{ListChanged: told}
	}
	c.Resources = &struct {
		Subscribe   bool `json:"subscribe,omitempty"`
		ListChanged bool `json:"listChanged,omitempty"`
	}{}
	return c
}

func (s *session) instructions() string {
	if s.o.Elsewhere {
		return ""
	}
	return instructions
}

func (s *session) met(client string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if client != "" {
		s.agent = client
	}
}

func (s *session) agentName() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.agent
}

package mcp

import (
	"context"
	"encoding/json"
	"log"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/protocol"
)

// Since 2026-07-28 there is no handshake: a request carries the version of the
// protocol, and these methods are gone. What is older is served as it was.
var handshake = map[string]bool{string(proto.MethodInitialize): true, string(proto.MethodPing): true}

// A server answers a client.
type server struct{ *client }

// newSession begins the session of a client, see [newConn].
func newSession(ctx context.Context, o Options, emit func(message any, line []byte) error) *conn {
	logs := log.New(o.Err, "mcp: ", log.LstdFlags)
	var c *conn
	s := &server{newClient(o, logs, func(message any) { c.write(message) }, promptNames)}
	c = newConn(ctx, s, logs, o.Slack, emit)
	return c
}

// Notice takes what asks for no answer: notifications, and answers to questions of ours.
func (s *server) Notice(r protocol.Request) {
	switch r.Method {
	case "":
		s.answered(r)
	case methodInitialized:
		s.goesOn()
	case methodRootsChanged:
		s.askRoots()
	}
}

// Answer answers a request.
func (s *server) Answer(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
	modern, e := s.era(r)
	if e != nil {
		return nil, e
	}
	if modern && handshake[r.Method] {
		return nil, protocol.UnknownMethod(r)
	}
	result, e := s.method(ctx, r, modern)
	if e != nil || !modern {
		return result, e
	}
	return s.modernise(result), nil
}

func (s *server) method(ctx context.Context, r protocol.Request, modern bool) (any, *protocol.Error) {
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
	case s.Elsewhere:
		return nil, protocol.UnknownMethod(r)
	case m == proto.MethodToolsList:
		return &proto.ListToolsResult{Tools: toolList(s.modules(ctx))}, nil
	case m == proto.MethodToolsCall:
		return s.call(ctx, r)
	case m == proto.MethodPromptsList:
		return listPrompts(ctx, s.client, r)
	case m == proto.MethodPromptsGet:
		return getPrompt(ctx, s.client, r)
	case m == proto.MethodResourcesList:
		return listResources(ctx, s.client, r)
	case m == proto.MethodResourcesTemplatesList:
		return &proto.ListResourceTemplatesResult{ResourceTemplates: resourceTemplates()}, nil
	case m == proto.MethodResourcesRead:
		return readResource(ctx, s.client, r, modern)
	}
	return nil, protocol.UnknownMethod(r)
}

// era tells whether a request is of the protocol without a handshake, and
// takes note of who sends it.
func (s *server) era(r protocol.Request) (modern bool, e *protocol.Error) {
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
func (s *server) modernise(result any) any {
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

func (s *server) initialize(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
	var p proto.InitializeParams
	b, err := json.Marshal(r.Params)
	if err == nil {
		err = json.Unmarshal(b, &p)
	}
	if err != nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "initialize: %s", err)
	}
	s.met(p.ClientInfo.Name)
	s.shakes(p.Capabilities.Roots != nil)
	*r.Settle = func(bool) { s.answeredBack() }
	return &proto.InitializeResult{
		ProtocolVersion: proto.NegotiateLegacyVersion(p.ProtocolVersion), Capabilities: s.capabilities(ctx, true),
		ServerInfo: s.serverInfo(), Instructions: s.instructions(),
	}, nil
}

// subscribe acknowledges a subscription to nothing: the tools change when their user
// changes a setting, and the answer to that says so.
func (s *server) subscribe(r protocol.Request) any {
	s.send(map[string]any{
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

func (s *server) serverInfo() proto.Implementation {
	return proto.Implementation{Name: "git-sage", Version: s.Version, Title: "git-sage memory"}
}

// capabilities say whether the client will be told that the tools have changed, and
// whether there are prompts in the modules that are offered.
func (s *server) capabilities(ctx context.Context, told bool) (c proto.ServerCapabilities) {
	if s.Elsewhere {
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

func (s *server) instructions() string {
	if s.Elsewhere {
		return ""
	}
	return instructions
}

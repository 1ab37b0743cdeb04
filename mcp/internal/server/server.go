// Package server answers a client in the protocol: it knows what each method means.
package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"log"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/conn"
	"github.com/git-sage/git-sage/mcp/internal/prompts"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/resources"
	"github.com/git-sage/git-sage/mcp/internal/toolset"
)

// Since 2026-07-28 there is no handshake: a request carries the version of the
// protocol, and these methods are gone. What is older is served as it was.
var handshake = map[string]bool{string(proto.MethodInitialize): true, string(proto.MethodPing): true}

// A Server answers a client.
type Server struct{ *client.Client }

// New begins the session of a client, see [conn.New].
func New(ctx context.Context, o client.Options, emit func(message any, line []byte) error) *conn.Conn {
	logs := log.New(o.Err, "mcp: ", log.LstdFlags)
	var c *conn.Conn
	s := &Server{client.New(o, logs, func(message any) { c.Write(message) }, prompts.Names)}
	c = conn.New(ctx, s, logs, o.Slack, emit)
	return c
}

// Notice takes what asks for no answer: notifications, and answers to questions of ours.
func (s *Server) Notice(r protocol.Request) {
	switch r.Method {
	case "":
		s.Answered(r)
	case client.MethodInitialized:
		s.GoesOn()
	case client.MethodRootsChanged:
		s.AskRoots()
	}
}

// Answer answers a request.
func (s *Server) Answer(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
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

func (s *Server) method(ctx context.Context, r protocol.Request, modern bool) (any, *protocol.Error) {
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
		return &proto.ListToolsResult{Tools: toolset.List(s.Modules(ctx))}, nil
	case m == proto.MethodToolsCall:
		return s.call(ctx, r)
	case m == proto.MethodPromptsList:
		return prompts.List(ctx, s.Client, r)
	case m == proto.MethodPromptsGet:
		return prompts.Get(ctx, s.Client, r)
	case m == proto.MethodResourcesList:
		return resources.List(ctx, s.Client, r)
	case m == proto.MethodResourcesTemplatesList:
		return &proto.ListResourceTemplatesResult{ResourceTemplates: resources.Templates()}, nil
	case m == proto.MethodResourcesRead:
		return resources.Read(ctx, s.Client, r, modern)
	}
	return nil, protocol.UnknownMethod(r)
}

// era tells whether a request is of the protocol without a handshake, and
// takes note of who sends it.
func (s *Server) era(r protocol.Request) (modern bool, e *protocol.Error) {
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
		s.Met(c.Name)
	}
	return true, nil
}

// modernise adds what results carry since 2026-07-28.
func (s *Server) modernise(result any) any {
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

func (s *Server) initialize(ctx context.Context, r protocol.Request) (any, *protocol.Error) {
	var p proto.InitializeParams
	b, err := json.Marshal(r.Params)
	if err == nil {
		err = json.Unmarshal(b, &p)
	}
	if err != nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "initialize: %s", err)
	}
	s.Met(p.ClientInfo.Name)
	s.Shakes(p.Capabilities.Roots != nil)
	*r.Settle = func(bool) { s.AnsweredBack() }
	return &proto.InitializeResult{
		ProtocolVersion: proto.NegotiateLegacyVersion(p.ProtocolVersion), Capabilities: s.capabilities(ctx, true),
		ServerInfo: s.serverInfo(), Instructions: s.instructions(),
	}, nil
}

// subscribe acknowledges a subscription to nothing: the tools change when their user
// changes a setting, and the answer to that says so.
func (s *Server) subscribe(r protocol.Request) any {
	s.Send(map[string]any{
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

func (s *Server) serverInfo() proto.Implementation {
	return proto.Implementation{Name: "git-sage", Version: s.Version, Title: "git-sage memory"}
}

// capabilities say whether the client will be told that the tools have changed, and
// whether there are prompts in the modules that are offered.
func (s *Server) capabilities(ctx context.Context, told bool) (c proto.ServerCapabilities) {
	if s.Elsewhere {
		return c
	}
	c.Tools = &struct {
		ListChanged bool `json:"listChanged,omitempty"`
	}{ListChanged: told}
	if len(prompts.Of(s.Modules(ctx))) > 0 {
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

func (s *Server) instructions() string {
	if s.Elsewhere {
		return ""
	}
	return Instructions
}

// MadeUpSession names a session whose client tells no name.
func MadeUpSession() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return "mcp-" + hex.EncodeToString(b[:])
}

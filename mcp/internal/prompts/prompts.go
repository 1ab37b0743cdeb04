// Package prompts has what a person may ask for by name.
package prompts

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/client"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/mcp/internal/tool"
	"github.com/git-sage/git-sage/recall/brief"
)

// A prompt is something that a person may ask for by name: in Claude Code
// /mcp__sage__checkpoint, with arguments by position, a word each.
type prompt struct {
	Name, doc string
	module    string
	Args      []promptArg
	writes    bool // moves the session
	run       func(context.Context, *tool.Call) (string, error)
}

// A promptArg is an argument of a prompt. The last of a prompt may be a sentence.
type promptArg struct {
	Name, doc string
	required  bool
	sentence  bool
}

// Claude Code gives one word to each argument and drops what is left (seen in
// 2.1.329), so that a sentence needs as many arguments as it may have words. Other
// clients show a person a field for each argument: they see one.
const (
	WordClient = "claude-code"
	MaxWords   = 20
	maxGiven   = 2000 // characters of an argument
)

// more are the names of the words of a sentence behind the first: numbers, for Claude
// Code shows all names while somebody types.
func (a promptArg) more() (names []string) {
	for i := 2; a.sentence && i <= MaxWords; i++ {
		names = append(names, strconv.Itoa(i))
	}
	return names
}

func (p prompt) describe(words bool) proto.Prompt {
	out := proto.Prompt{Name: p.Name, Description: p.doc}
	for _, a := range p.Args {
		out.Arguments = append(out.Arguments, proto.PromptArgument{Name: a.Name, Description: a.doc, Required: a.required})
		for _, name := range a.more() {
			if words {
				out.Arguments = append(out.Arguments, proto.PromptArgument{Name: name, Description: "Its next word."})
			}
		}
	}
	return out
}

// Of are the prompts of some modules.
func Of(modules []string) (list []prompt) {
	for _, p := range AllPrompts() {
		if (&tool.Tool{Module: p.module}).Offered(modules) {
			list = append(list, p)
		}
	}
	return list
}

// List is what a client is told of the prompts; each of a sentence has many arguments for one
// that gives a word to each.
func List(ctx context.Context, s *client.Client, r protocol.Request) (any, *protocol.Error) {
	list := Of(s.Modules(ctx))
	if len(list) == 0 {
		return nil, protocol.UnknownMethod(r)
	}
	out := &proto.ListPromptsResult{}
	for _, p := range list {
		out.Prompts = append(out.Prompts, p.describe(s.AgentName() == WordClient))
	}
	return out, nil
}

// Names are the names of the prompts of some modules.
func Names(modules []string) (names []string) {
	for _, p := range Of(modules) {
		names = append(names, p.Name)
	}
	return names
}

// Writes reports whether the prompt of a name moves the session.
func Writes(name string) bool {
	return slices.ContainsFunc(AllPrompts(), func(p prompt) bool { return p.writes && p.Name == name })
}

// Get is what a person asked for, as a message of theirs.
func Get(ctx context.Context, s *client.Client, r protocol.Request) (any, *protocol.Error) {
	list := Of(s.Modules(ctx))
	if len(list) == 0 {
		return nil, protocol.UnknownMethod(r)
	}
	name, _ := r.Params["name"].(string)
	for _, p := range list {
		if p.Name != name {
			continue
		}
		args, e := p.read(r.Params["arguments"])
		if e != nil {
			return nil, e
		}
		return answerPrompt(ctx, s, p, args)
	}
	return nil, protocol.Errorf(proto.INVALID_PARAMS, "name: there is no prompt %q", texts.Shown(name))
}

func answerPrompt(ctx context.Context, s *client.Client, p prompt, args map[string]any) (any, *protocol.Error) {
	c := tool.New(s, args)
	defer c.Close()
	text, err := p.run(ctx, c)
	switch {
	case errors.Is(err, gitstore.ErrNotFound), errors.Is(err, gitstore.ErrName), errors.Is(err, gitstore.ErrExists):
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "%s", s.Explain(err))
	case err != nil:
		return nil, protocol.Errorf(proto.INTERNAL_ERROR, "%s", s.Explain(err))
	}
	return &proto.GetPromptResult{Description: p.doc, Messages: []proto.PromptMessage{
		{Role: proto.RoleUser, Content: proto.NewTextContent(brief.Inert(texts.Fit(text, texts.MaxChars, "the rest is alike")))},
	}}, nil
}

// read checks the arguments and puts sentences together.
func (p prompt) read(given any) (map[string]any, *protocol.Error) {
	m, ok := given.(map[string]any)
	if !ok && given != nil {
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "arguments: must be an object")
	}
	known, out := map[string]bool{}, map[string]any{}
	for _, a := range p.Args {
		var words []string
		for _, name := range append([]string{a.Name}, a.more()...) {
			known[name] = true
			if m[name] == nil {
				continue
			}
			w, ok := m[name].(string)
			if !ok {
				return nil, protocol.Errorf(proto.INVALID_PARAMS, "%s: must be text", name)
			}
			words = append(words, w)
		}
		text := strings.Trim(strings.TrimSpace(strings.Join(words, " ")), `"`)
		if out[a.Name] = texts.OneLine(text, maxGiven); text == "" && a.required {
			return nil, protocol.Errorf(proto.INVALID_PARAMS, "%s: is required", a.Name)
		}
	}
	for name := range m {
		if !known[name] {
			return nil, protocol.Errorf(proto.INVALID_PARAMS, "%s: the prompt %s has no such argument", texts.Shown(name), p.Name)
		}
	}
	return out, nil
}

package mcp

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/mcp/internal/protocol"
	"github.com/git-sage/git-sage/mcp/internal/texts"
	"github.com/git-sage/git-sage/recall/brief"
)

// A prompt is something that a person may ask for by name: in Claude Code
// /mcp__sage__checkpoint, with arguments by position, a word each.
type prompt struct {
	name, doc string
	module    string
	args      []promptArg
	writes    bool // moves the session
	run       func(context.Context, *call) (string, error)
}

// A promptArg is an argument of a prompt. The last of a prompt may be a sentence.
type promptArg struct {
	name, doc string
	required  bool
	sentence  bool
}

// Claude Code gives one word to each argument and drops what is left (seen in
// 2.1.329), so that a sentence needs as many arguments as it may have words. Other
// clients show a person a field for each argument: they see one.
const (
	wordClient = "claude-code"
	maxWords   = 20
	maxGiven   = 2000 // characters of an argument
)

// more are the names of the words of a sentence behind the first: numbers, for Claude
// Code shows all names while somebody types.
func (a promptArg) more() (names []string) {
	for i := 2; a.sentence && i <= maxWords; i++ {
		names = append(names, strconv.Itoa(i))
	}
	return names
}

func (p prompt) describe(words bool) proto.Prompt {
	out := proto.Prompt{Name: p.name, Description: p.doc}
	for _, a := range p.args {
		out.Arguments = append(out.Arguments, proto.PromptArgument{Name: a.name, Description: a.doc, Required: a.required})
		for _, name := range a.more() {
			if words {
				out.Arguments = append(out.Arguments, proto.PromptArgument{Name: name, Description: "Its next word."})
			}
		}
	}
	return out
}

// promptsOf are the prompts of some modules.
func promptsOf(modules []string) (list []prompt) {
	for _, p := range allPrompts() {
		if (&tool{module: p.module}).offered(modules) {
			list = append(list, p)
		}
	}
	return list
}

func listPrompts(ctx context.Context, s *client, r protocol.Request) (any, *protocol.Error) {
	list := promptsOf(s.modules(ctx))
	if len(list) == 0 {
		return nil, protocol.UnknownMethod(r)
	}
	out := &proto.ListPromptsResult{}
	for _, p := range list {
		out.Prompts = append(out.Prompts, p.describe(s.agentName() == wordClient))
	}
	return out, nil
}

// promptNames are the names of the prompts of some modules.
func promptNames(modules []string) (names []string) {
	for _, p := range promptsOf(modules) {
		names = append(names, p.name)
	}
	return names
}

// promptWrites reports whether the prompt of a name moves the session.
func promptWrites(name string) bool {
	return slices.ContainsFunc(allPrompts(), func(p prompt) bool { return p.writes && p.name == name })
}

// getPrompt is what a person asked for, as a message of theirs.
func getPrompt(ctx context.Context, s *client, r protocol.Request) (any, *protocol.Error) {
	list := promptsOf(s.modules(ctx))
	if len(list) == 0 {
		return nil, protocol.UnknownMethod(r)
	}
	name, _ := r.Params["name"].(string)
	for _, p := range list {
		if p.name != name {
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

func answerPrompt(ctx context.Context, s *client, p prompt, args map[string]any) (any, *protocol.Error) {
	c := newCall(s, args)
	defer c.close()
	text, err := p.run(ctx, c)
	switch {
	case errors.Is(err, gitstore.ErrNotFound), errors.Is(err, gitstore.ErrName), errors.Is(err, gitstore.ErrExists):
		return nil, protocol.Errorf(proto.INVALID_PARAMS, "%s", s.explain(err))
	case err != nil:
		return nil, protocol.Errorf(proto.INTERNAL_ERROR, "%s", s.explain(err))
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
	for _, a := range p.args {
		var words []string
		for _, name := range append([]string{a.name}, a.more()...) {
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
		if out[a.name] = texts.OneLine(text, maxGiven); text == "" && a.required {
			return nil, protocol.Errorf(proto.INVALID_PARAMS, "%s: is required", a.name)
		}
	}
	for name := range m {
		if !known[name] {
			return nil, protocol.Errorf(proto.INVALID_PARAMS, "%s: the prompt %s has no such argument", texts.Shown(name), p.name)
		}
	}
	return out, nil
}

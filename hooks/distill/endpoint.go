package distill

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// endpointWithin is what a model on a machine without a GPU may take for a long
// conversation.
const endpointWithin = 5 * time.Minute

// An endpoint is a model behind HTTP. The path says how it is spoken to: .../messages as
// Anthropic's, .../chat/completions as OpenAI's.
type endpoint struct {
	s        Settings
	url      *url.URL
	messages bool
	key      string
	within   time.Duration // of one question
}

// usualKeys are where people have the keys of those who are known. No other host is sent
// one that was not named for it.
var usualKeys = map[string]string{"api.anthropic.com": "ANTHROPIC_API_KEY", "api.openai.com": "OPENAI_API_KEY"}

func newEndpoint(s Settings, w World) (*endpoint, error) {
	u, err := url.Parse(s.Target)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && isLocal(u.Hostname())) {
		return nil, &RefusedError{"distill is not the URL of an endpoint: use https, or http on this machine", "git sage config set distill <address>"}
	}
	e := &endpoint{s: s, url: u, messages: strings.HasSuffix(u.Path, "/messages"), within: endpointWithin}
	if !e.messages && !strings.HasSuffix(u.Path, "/chat/completions") {
		return nil, &RefusedError{"distill must end in /messages or /chat/completions", "git sage config set distill <address>"}
	}
	if name := cmp.Or(s.KeyEnv, usualKeys[u.Host]); name != "" {
		if e.key = w.getenv(name); e.key == "" {
			return nil, &RefusedError{"the key of " + u.Host + " is missing: " + name + " is not set", "export " + name + "=..."}
		}
	}
	return e, nil
}

func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func (e *endpoint) identity() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(e.s.Target+"\x00"+e.s.Model+"\x00"+e.key)))[:16]
}

// client follows no redirection: the key and the conversation would go along.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (e *endpoint) ask(ctx context.Context, conversation string) (reply, error) {
	within, cancel := context.WithTimeout(ctx, e.within)
	defer cancel()
	var body []byte
	var err error
	for _, request := range e.requests(conversation) {
		if body, err = e.send(within, request); !errors.Is(err, errUnknownOption) {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		return reply{}, ctx.Err()
	case within.Err() != nil:
		return reply{}, fmt.Errorf("%s did not answer within %s", e.url.Host, e.within)
	case err != nil:
		return reply{}, err
	case e.messages:
		return e.fromMessages(body)
	}
	return e.fromCompletions(body)
}

// requests are the ways to ask, the best first: servers that speak as OpenAI's do not know
// all of its options.
func (e *endpoint) requests(conversation string) []map[string]any {
	if e.messages {
		return []map[string]any{{
			"model": cmp.Or(e.s.Model, "default"), "max_tokens": maxOutput, "system": instructions,
			"messages":    []any{map[string]any{"role": "user", "content": conversation}},
			"tools":       []any{map[string]any{"name": "record", "description": "Takes the notes.", "input_schema": schema()}},
			"tool_choice": map[string]any{"type": "tool", "name": "record"},
		}}
	}
	said := []any{map[string]any{"role": "system", "content": instructions}, map[string]any{"role": "user", "content": conversation}}
	model := cmp.Or(e.s.Model, "default")
	return []map[string]any{
		{"model": model, "max_completion_tokens": maxOutput, "messages": said, "response_format": map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": "record", "schema": schema()},
		}},
		{"model": model, "max_tokens": maxOutput, "messages": said},
	}
}

// errUnknownOption is a server that understands another request, maybe.
var errUnknownOption = errors.New("the endpoint does not understand the request")

func (e *endpoint) send(ctx context.Context, request map[string]any) ([]byte, error) {
	data, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url.String(), bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.messages {
		req.Header.Set("anthropic-version", "2023-06-01")
	}
	switch {
	case e.key != "" && e.messages:
		req.Header.Set("x-api-key", e.key)
	case e.key != "":
		req.Header.Set("Authorization", "Bearer "+e.key)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, e.silent(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, e.silent(err)
	case len(body) > maxReply:
		return nil, fmt.Errorf("%s: the answer exceeds %d MB", e.url.Host, maxReply>>20)
	case resp.StatusCode != http.StatusOK:
		return nil, unreadError{e.refusal(resp, body)}
	}
	return body, nil
}

// silent is an endpoint that could not be reached, or stopped in the middle.
func (e *endpoint) silent(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return &BusyError{Why: e.url.Host + ": " + e.discreet(err.Error())}
}

// refusal is what a server that did not answer said.
func (e *endpoint) refusal(resp *http.Response, body []byte) error {
	why := fmt.Sprintf("%s: %s: %s", e.url.Host, resp.Status, e.discreet(string(body)))
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return &RefusedError{why, "git sage config set distill_key_env <variable>"}
	case code == http.StatusNotFound:
		return &RefusedError{why, "git sage config set distill_model <model>"}
	case code == http.StatusTooManyRequests, code >= 500:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // else our own pace
		return &BusyError{time.Duration(min(max(seconds, 0), 24*3600)) * time.Second, why}
	case code == http.StatusBadRequest, code == http.StatusUnprocessableEntity:
		return fmt.Errorf("%w: %s", errUnknownOption, why)
	}
	return errors.New(why)
}

// discreet is what a server said without the key.
func (e *endpoint) discreet(text string) string {
	if e.key != "" {
		text = strings.ReplaceAll(text, e.key, "***")
	}
	return clipped(text)
}

func (e *endpoint) fromMessages(body []byte) (reply, error) {
	var a struct {
		Model   string
		Content []struct {
			Type, Text string
			Input      json.RawMessage
		}
		Usage usage
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return reply{}, fmt.Errorf("%w: %s", errForm, e.discreet(string(body)))
	}
	r := reply{use: a.Usage.use(cmp.Or(a.Model, e.s.Model))}
	for _, c := range a.Content {
		switch {
		case c.Type == "tool_use":
			r.json = c.Input
		case c.Type == "text" && r.json == nil:
			r.json = unwrapped(c.Text)
		}
	}
	return r, e.answered(r, body)
}

func (e *endpoint) fromCompletions(body []byte) (reply, error) {
	var a struct {
		Model   string
		Choices []struct {
			Message struct{ Content string }
		}
		Usage struct {
			Input  int `json:"prompt_tokens"`
			Output int `json:"completion_tokens"`
		}
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return reply{}, fmt.Errorf("%w: %s", errForm, e.discreet(string(body)))
	}
	r := reply{use: Use{Model: cmp.Or(a.Model, e.s.Model), Input: a.Usage.Input, Output: a.Usage.Output}}
	if len(a.Choices) > 0 {
		r.json = unwrapped(a.Choices[0].Message.Content)
	}
	return r, e.answered(r, body)
}

func (e *endpoint) answered(r reply, body []byte) error {
	if len(r.json) > 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", errForm, e.discreet(string(body)))
}

// unwrapped is the object in a text that a model wrote around it; nil if there is none.
func unwrapped(text string) []byte {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return nil
	}
	return []byte(text[from : to+1])
}

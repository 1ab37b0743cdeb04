package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/recall/brief"
)

// A request is a JSON-RPC request or notification. The id is what came, ready
// to be sent back; a notification has none.
type request struct {
	id     json.RawMessage
	method string
	params map[string]any
	meta   *proto.Meta
	answer any // to a question of ours; then there is no method

	settle *func(written bool) // set by who wants to know what became of the answer
	over   func()              // called when nothing more comes of it; nil is nobody's affair
}

func (r request) ended() {
	if r.over != nil {
		r.over()
	}
}

// A rpcError is an error on the level of the protocol.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func failf(code int, format string, args ...any) *rpcError {
	return &rpcError{Code: code, Message: brief.Inert(fmt.Sprintf(format, args...))}
}

// A response answers a request. Exactly one of result and error is set.
type response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

var nullID = json.RawMessage("null")

func refuse(id json.RawMessage, e *rpcError) response {
	if id == nil {
		id = nullID
	}
	return response{JSONRPC: proto.JSONRPC_VERSION, ID: id, Error: e}
}

// read makes requests of a line, and answers for what is none. A well-behaved
// line holds one.
func read(line []byte) (requests []request, answers []response) {
	values, err := decodeAll(line)
	switch {
	case errors.Is(err, errTwice):
		return nil, refuseAll(values, failf(proto.INVALID_REQUEST, "%s", err))
	case len(values) > 1:
		answers = refuseAll(values, failf(proto.INVALID_REQUEST, "this line has %d messages: send one per line", len(values)))
	case len(values) == 1 && err == nil:
		return readOne(values[0], checkText(line))
	}
	if err != nil {
		answers = append(answers, refuse(nil, failf(proto.PARSE_ERROR, "not JSON: %s", err)))
	}
	return nil, answers
}

func refuseAll(values []any, e *rpcError) (out []response) {
	for _, v := range values {
		m, _ := v.(map[string]any)
		id, _ := readID(m["id"])
		out = append(out, refuse(id, e))
	}
	return out
}

func readOne(v any, text error) ([]request, []response) {
	if _, ok := v.([]any); ok {
		return nil, []response{refuse(nil, failf(proto.INVALID_REQUEST, "batches are not part of the protocol: send one message per line"))}
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, []response{refuse(nil, failf(proto.INVALID_REQUEST, "a message must be an object"))}
	}
	r, e := envelope(m)
	if e == nil && r.method == "" { // an answer
		r.answer = m["result"]
		return []request{r}, nil
	}
	if e == nil && text != nil {
		e = failf(proto.INVALID_PARAMS, "%s", text)
	}
	switch {
	case e == nil:
		return []request{r}, nil
	case r.id == nil && m["method"] != nil && m["id"] == nil && e.Code == proto.INVALID_PARAMS:
		return nil, nil // a notification is never answered
	}
	return nil, []response{refuse(r.id, e)}
}

func envelope(m map[string]any) (r request, e *rpcError) {
	raw, has := m["id"]
	if has {
		id, ok := readID(raw)
		if !ok {
			return r, failf(proto.INVALID_REQUEST, "id: must be text or a whole number")
		}
		r.id = id
	}
	if m["jsonrpc"] != proto.JSONRPC_VERSION {
		return r, failf(proto.INVALID_REQUEST, `jsonrpc: must be "2.0"`)
	}
	method, ok := m["method"].(string)
	_, result := m["result"]
	_, failed := m["error"]
	if !ok && has && (result || failed) {
		return r, nil
	}
	if !ok || method == "" {
		return r, failf(proto.INVALID_REQUEST, "method: must be the name of a method")
	}
	r.method = method
	if p := m["params"]; p != nil {
		if r.params, ok = p.(map[string]any); !ok {
			return r, failf(proto.INVALID_PARAMS, "params: must be an object")
		}
	}
	r.meta, e = readMeta(r.params["_meta"])
	return r, e
}

// readID accepts text and whole numbers that every program reads alike.
func readID(v any) (json.RawMessage, bool) {
	switch v := v.(type) {
	case string:
		b, err := json.Marshal(v)
		return b, err == nil
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		return json.RawMessage(v.String()), err == nil && n <= 1<<53 && n >= -(1<<53)
	}
	return nil, false
}

func readMeta(v any) (*proto.Meta, *rpcError) {
	if v == nil {
		return &proto.Meta{}, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, failf(proto.INVALID_PARAMS, "_meta: must be an object")
	}
	return &proto.Meta{AdditionalFields: m}, nil
}

// Package protocol reads and writes messages of JSON-RPC, strictly: what a client could mean in
// two ways is refused.
package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	proto "github.com/mark3labs/mcp-go/mcp"

	"github.com/git-sage/git-sage/recall/brief"
)

// A Request is a JSON-RPC request or notification. The id is what came, ready
// to be sent back; a notification has none.
type Request struct {
	ID     json.RawMessage
	Method string
	Params map[string]any
	Meta   *proto.Meta
	Answer any // to a question of ours; then there is no method

	Settle *func(written bool) // set by who wants to know what became of the answer
	Over   func()              // called when nothing more comes of it; nil is nobody's affair
}

// Ended is to be called when nothing more comes of the request.
func (r Request) Ended() {
	if r.Over != nil {
		r.Over()
	}
}

// An Error is an error on the level of the protocol.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Errorf makes one whose message can do no harm in a terminal or a model.
func Errorf(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: brief.Inert(fmt.Sprintf(format, args...))}
}

// A Response answers a request. Exactly one of result and error is set.
type Response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

var nullID = json.RawMessage("null")

// Refuse is the response of a request that failed; without an id, of what is no request.
func Refuse(id json.RawMessage, e *Error) Response {
	if id == nil {
		id = nullID
	}
	return Response{JSONRPC: proto.JSONRPC_VERSION, ID: id, Error: e}
}

// Read makes requests of a line, and answers for what is none. A well-behaved
// line holds one.
func Read(line []byte) (requests []Request, answers []Response) {
	values, err := DecodeAll(line)
	switch {
	case errors.Is(err, errTwice):
		return nil, refuseAll(values, Errorf(proto.INVALID_REQUEST, "%s", err))
	case len(values) > 1:
		answers = refuseAll(values, Errorf(proto.INVALID_REQUEST, "this line has %d messages: send one per line", len(values)))
	case len(values) == 1 && err == nil:
		return readOne(values[0], CheckText(line))
	}
	if err != nil {
		answers = append(answers, Refuse(nil, Errorf(proto.PARSE_ERROR, "not JSON: %s", err)))
	}
	return nil, answers
}

func refuseAll(values []any, e *Error) (out []Response) {
	for _, v := range values {
		m, _ := v.(map[string]any)
		id, _ := ReadID(m["id"])
		out = append(out, Refuse(id, e))
	}
	return out
}

func readOne(v any, text error) ([]Request, []Response) {
	if _, ok := v.([]any); ok {
		return nil, []Response{Refuse(nil, Errorf(proto.INVALID_REQUEST, "batches are not part of the protocol: send one message per line"))}
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, []Response{Refuse(nil, Errorf(proto.INVALID_REQUEST, "a message must be an object"))}
	}
	r, e := envelope(m)
	if e == nil && r.Method == "" { // an answer
		r.Answer = m["result"]
		return []Request{r}, nil
	}
	if e == nil && text != nil {
		e = Errorf(proto.INVALID_PARAMS, "%s", text)
	}
	switch {
	case e == nil:
		return []Request{r}, nil
	case r.ID == nil && m["method"] != nil && m["id"] == nil && e.Code == proto.INVALID_PARAMS:
		return nil, nil // a notification is never answered
	}
	return nil, []Response{Refuse(r.ID, e)}
}

func envelope(m map[string]any) (r Request, e *Error) {
	raw, has := m["id"]
	if has {
		id, ok := ReadID(raw)
		if !ok {
			return r, Errorf(proto.INVALID_REQUEST, "id: must be text or a whole number")
		}
		r.ID = id
	}
	if m["jsonrpc"] != proto.JSONRPC_VERSION {
		return r, Errorf(proto.INVALID_REQUEST, `jsonrpc: must be "2.0"`)
	}
	method, ok := m["method"].(string)
	_, result := m["result"]
	_, failed := m["error"]
	if !ok && has && (result || failed) {
		return r, nil
	}
	if !ok || method == "" {
		return r, Errorf(proto.INVALID_REQUEST, "method: must be the name of a method")
	}
	r.Method = method
	if p := m["params"]; p != nil {
		if r.Params, ok = p.(map[string]any); !ok {
			return r, Errorf(proto.INVALID_PARAMS, "params: must be an object")
		}
	}
	r.Meta, e = readMeta(r.Params["_meta"])
	return r, e
}

// ReadID accepts text and whole numbers that every program reads alike.
func ReadID(v any) (json.RawMessage, bool) {
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

func readMeta(v any) (*proto.Meta, *Error) {
	if v == nil {
		return &proto.Meta{}, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, Errorf(proto.INVALID_PARAMS, "_meta: must be an object")
	}
	return &proto.Meta{AdditionalFields: m}, nil
}

// UnknownMethod refuses a request of a method that nobody answers.
func UnknownMethod(r Request) *Error {
	return Errorf(proto.METHOD_NOT_FOUND, "method %q is not known here", r.Method)
}

package converse

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/git-sage/git-sage/internal/modelhttp"
)

// maxLine bounds an event, in bytes.
const maxLine = 1 << 20

// lines calls do for each line of what a model sends, until that says that it is the last.
func lines(r io.Reader, st *stream, do func(line []byte) (last bool, err error)) error {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 64<<10), maxLine)
	for s.Scan() {
		st.alive()
		if last, err := do(s.Bytes()); last || err != nil || st.over != nil {
			return cmp.Or(err, st.over)
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return wrongError{fmt.Errorf("%s: a line of the answer exceeds %d MB", st.name, maxLine>>20)}
	}
	return s.Err()
}

// events reads an answer in server-sent events. Of either protocol each event is one line of
// data, and names its own type.
func (e *Endpoint) events(r io.Reader, st *stream) error {
	err := lines(r, st, func(line []byte) (bool, error) {
		data, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			return false, nil
		}
		if data = bytes.TrimSpace(data); e.Messages {
			return e.message(data, st)
		}
		return e.chunk(data, st)
	})
	switch err = st.end(err); err.(type) {
	case nil, *BusyError, wrongError:
		return err
	}
	return e.silent(err)
}

// A wrongError is what is wrong with an answer that came so far.
type wrongError struct{ error }

// A Usage is what a request took, in tokens, as Anthropic's interface counts them.
type Usage struct {
	Input         int `json:"input_tokens"`
	Output        int `json:"output_tokens"`
	CacheRead     int `json:"cache_read_input_tokens"`
	CacheCreation int `json:"cache_creation_input_tokens"`
}

// Sent are the tokens of all that was sent, those that stood in a cache too.
func (u Usage) Sent() int { return u.Input + u.CacheRead + u.CacheCreation }

func (u Usage) note(to *Use) {
	if n := u.Sent(); n > 0 {
		to.Input, to.CacheRead = n, u.CacheRead
	}
	to.Output = max(to.Output, u.Output)
}

// A messageEvent is an event of Anthropic's, as far as it counts.
type messageEvent struct {
	Type    string
	Message struct {
		Model string
		Usage Usage
	}
	Delta struct {
		Type, Text string
		StopReason string `json:"stop_reason"`
	}
	Usage Usage
	Error struct{ Type, Message string }
}

// message reads an event of Anthropic's.
func (e *Endpoint) message(data []byte, st *stream) (last bool, err error) {
	var v messageEvent
	if err := json.Unmarshal(data, &v); err != nil {
		return false, wrongError{e.malformed(data)}
	}
	if v.Type == "error" {
		why := fmt.Sprintf("%s: %s: %s", e.URL.Host, v.Error.Type, e.Discreet(v.Error.Message))
		switch v.Error.Type {
		case "overloaded_error", "api_error", "rate_limit_error", "timeout_error":
			return false, &BusyError{Why: why}
		}
		return false, wrongError{errors.New(why)}
	}
	st.message(v)
	return st.ended, nil
}

// message takes an event of Anthropic's, which Claude Code passes on as well.
func (st *stream) message(v messageEvent) {
	switch v.Type {
	case "message_start":
		if v.Message.Model != "" {
			st.answer.Use.Model = v.Message.Model
		}
		v.Message.Usage.note(&st.answer.Use)
	case "content_block_delta":
		if v.Delta.Type == "text_delta" {
			st.add(v.Delta.Text)
		}
	case "message_delta":
		v.Usage.note(&st.answer.Use)
		st.answer.Cut = v.Delta.StopReason == "max_tokens"
	case "message_stop":
		st.ended = true
	}
}

// malformed is an answer that does not read as the protocol says.
func (e *Endpoint) malformed(said []byte) error {
	return fmt.Errorf("%s: %w: %s", e.URL.Host, errForm, e.Discreet(modelhttp.Said(said)))
}

// A completion is an answer of OpenAI's, or a piece of one.
type completion struct {
	Model   string
	Choices []struct {
		Delta, Message struct{ Content string }
		Finish         string `json:"finish_reason"`
	}
	Usage struct {
		Input  int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	}
	Error *struct{ Message string }
}

func (st *stream) completion(v completion) {
	if v.Model != "" {
		st.answer.Use.Model = v.Model
	}
	if v.Usage.Input+v.Usage.Output > 0 {
		st.answer.Use.Input, st.answer.Use.Output = v.Usage.Input, v.Usage.Output
	}
	if len(v.Choices) > 0 {
		st.add(v.Choices[0].Delta.Content + v.Choices[0].Message.Content)
		st.answer.Cut = st.answer.Cut || v.Choices[0].Finish == "length"
		st.ended = st.ended || v.Choices[0].Finish != ""
	}
}

// chunk reads an event of OpenAI's. What it took comes behind the end.
func (e *Endpoint) chunk(data []byte, st *stream) (last bool, err error) {
	if string(data) == "[DONE]" {
		st.ended = true
		return true, nil
	}
	var v completion
	if err := json.Unmarshal(data, &v); err != nil {
		return false, wrongError{e.malformed(data)}
	}
	if v.Error != nil {
		return false, &BusyError{Why: e.URL.Host + ": " + e.Discreet(v.Error.Message)}
	}
	st.completion(v)
	return false, nil
}

// whole reads an answer of a server that does not stream.
func (e *Endpoint) whole(resp *http.Response, st *stream) error {
	body, err := e.ReadAll(resp)
	if err != nil {
		return err
	}
	if e.Messages {
		var v struct {
			Model   string
			Content []struct{ Type, Text string }
			Usage   Usage
			Stop    string `json:"stop_reason"`
		}
		if err = json.Unmarshal(body, &v); err == nil {
			v.Usage.note(&st.answer.Use)
			st.answer.Cut = v.Stop == "max_tokens"
			for _, c := range v.Content {
				st.add(c.Text)
			}
		}
	} else {
		var v completion
		if err = json.Unmarshal(body, &v); err == nil {
			st.completion(v)
		}
	}
	if err != nil || st.text.Len() == 0 {
		return e.malformed(body)
	}
	return nil
}

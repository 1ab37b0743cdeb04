package converse

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/git-sage/git-sage/internal/modelhttp"
)

// An Endpoint is a model behind HTTP. The path says how it is spoken to: .../messages as
// Anthropic's, .../chat/completions as OpenAI's.
type Endpoint struct {
	URL      *url.URL
	Messages bool
	Key      string
	setting  string
	now      func() time.Time
}

// usualKeys are where people have the keys of those who are known. No other host is sent
// one that was not named for it.
var usualKeys = map[string]string{"api.anthropic.com": "ANTHROPIC_API_KEY", "api.openai.com": "OPENAI_API_KEY"}

// Open returns the endpoint that settings name, with its key.
func Open(ctx context.Context, s Settings, w World) (*Endpoint, error) {
	u, err := url.Parse(s.Target)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && modelhttp.IsLocal(u.Hostname())) {
		return nil, &RefusedError{shown(u, s) + " is not the URL of an endpoint: use https, or http on this machine", "git sage config set " + s.Setting + " <address>"}
	}
	e := &Endpoint{URL: u, Messages: strings.HasSuffix(u.Path, "/messages"), setting: s.Setting, now: w.Now}
	if !e.Messages && !strings.HasSuffix(u.Path, "/chat/completions") {
		return nil, &RefusedError{shown(u, s) + " must end in /messages or /chat/completions", "git sage config set " + s.Setting + " <address>"}
	}
	name := cmp.Or(s.KeyEnv, usualKeys[u.Host])
	switch {
	case s.KeyCommand != "":
		e.Key, err = keyOf(ctx, s, w)
	case name != "":
		if e.Key = w.Getenv(name); e.Key == "" {
			err = &RefusedError{"the key of " + u.Host + " is missing: " + name + " is not set", "export " + name + "=..."}
		}
	}
	return e, err
}

// shown is an address without a password; what is none is named by its setting.
func shown(u *url.URL, s Settings) string {
	if u == nil {
		return s.Setting
	}
	return "'" + u.Redacted() + "'"
}

// keyOf is the first line that the user's own command prints.
func keyOf(ctx context.Context, s Settings, w World) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyWithin)
	defer cancel()
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/c"
	}
	cmd := exec.CommandContext(ctx, shell, flag, s.KeyCommand)
	cmd.Env, cmd.WaitDelay = w.Env, time.Second
	out, err := cmd.Output()
	key, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if key = strings.TrimSpace(key); err == nil && key == "" {
		err = errors.New("it printed nothing")
	}
	if ended, ok := errors.AsType[*exec.ExitError](err); ok && len(ended.Stderr) > 0 {
		err = fmt.Errorf("%w: %s", err, Clipped(string(ended.Stderr)))
	}
	if err != nil {
		return "", &RefusedError{fmt.Sprintf("the key cannot be read: '%s': %v", s.KeyCommand, err), "git sage config set " + s.Setting + "_key_command <command>"}
	}
	return key, nil
}

// keyWithin is what a program may take that asks a key store, and perhaps its user.
const keyWithin = 30 * time.Second

// Post sends a request as JSON, and returns an answer that is good; whoever gets it closes it.
func (e *Endpoint) Post(ctx context.Context, request any) (*http.Response, error) {
	data, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return e.do(ctx, http.MethodPost, e.URL.String(), data)
}

func (e *Endpoint) do(ctx context.Context, method, address string, data []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.Messages {
		req.Header.Set("anthropic-version", "2023-06-01")
	}
	switch {
	case e.Key != "" && e.Messages:
		req.Header.Set("x-api-key", e.Key)
	case e.Key != "":
		req.Header.Set("Authorization", "Bearer "+e.Key)
	}
	resp, err := modelhttp.Client.Do(req)
	if err != nil {
		return nil, e.silent(err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxReply)) // what came of it says enough
		return nil, unreadError{e.refusal(resp, body)}
	}
	return resp, nil
}

// ReadAll is the whole body of an answer.
func (e *Endpoint) ReadAll(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, e.silent(err)
	case len(body) > maxReply:
		return nil, tooLong(e.URL.Host)
	}
	return body, nil
}

// silent is an endpoint that could not be reached, or stopped in the middle.
func (e *Endpoint) silent(err error) error {
	err = modelhttp.Failure(err, e.Key)
	if busy, ok := errors.AsType[*BusyError](err); ok {
		busy.Why = e.URL.Host + ": " + busy.Why
		return busy
	}
	return &RefusedError{e.URL.Host + ": " + err.Error(), "check the address: 'git sage config get " + e.setting + "'"}
}

// refusal is what a server that did not answer said.
func (e *Endpoint) refusal(resp *http.Response, body []byte) error {
	why := e.URL.Host + ": " + modelhttp.Refusal(resp, body, e.Key)
	if busy := modelhttp.Busy(resp, e.now(), why); busy != nil {
		return busy
	}
	switch resp.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return &RefusedError{why, "git sage config set " + e.setting + "_key_env <variable>"}
	case http.StatusNotFound:
		return &RefusedError{why, "git sage config set " + e.setting + "_model <model>"}
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return unknownError{errors.New(why)}
	}
	return errors.New(why)
}

// Discreet is what a server said without the key.
func (e *Endpoint) Discreet(text string) string { return modelhttp.Discreet(text, e.Key) }

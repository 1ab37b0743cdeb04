package endpoint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/git-sage/git-sage/internal/modelhttp"
)

// mostAnswer bounds an answer: 64 vectors of 4,096 numbers have 6 MB.
const mostAnswer = 64 << 20

// ask sends texts once.
func (e *Endpoint) ask(ctx context.Context, texts []string, dim int) ([][]float32, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, requestTime+time.Duration(len(texts))*textTime, errors.New("no answer in time"))
	defer cancel()
	resp, err := e.send(ctx, texts)
	if err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, modelhttp.Failure(err, e.o.Key)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostAnswer+1))
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, &modelhttp.BusyError{Why: "the answer broke off: " + modelhttp.Discreet(err.Error(), e.o.Key)}
	case len(body) > mostAnswer:
		return nil, fmt.Errorf("the answer exceeds %d MB", mostAnswer>>20)
	case resp.StatusCode != http.StatusOK:
		return nil, e.refusal(resp, body)
	}
	return vectors(body, len(texts), dim)
}

func (e *Endpoint) send(ctx context.Context, texts []string) (*http.Response, error) {
	input := make([]string, len(texts))
	for i, t := range texts {
		if input[i] = t; strings.TrimSpace(t) == "" {
			input[i] = "." // servers refuse nothing at all
		}
	}
	data, err := json.Marshal(map[string]any{"model": e.o.Model, "input": input, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.o.Key)
	}
	return e.o.Client.Do(req)
}

// try sends one request until it is answered, or the tries are used up.
func (e *Endpoint) try(ctx context.Context, texts []string, dim int) (v [][]float32, err error) {
	again := modelhttp.Tries{Most: tries, First: firstWait, Factor: 2, Longest: mostWait, Patient: true, Sleep: e.o.Sleep}
	err = again.Do(ctx, func() error {
		v, err = e.ask(ctx, texts, dim)
		return err
	})
	return v, err
}

// refusal says what a server that did not answer said.
func (e *Endpoint) refusal(resp *http.Response, body []byte) error {
	why := modelhttp.Refusal(resp, body, e.o.Key)
	if busy := modelhttp.Busy(resp, time.Now(), why); busy != nil {
		return busy
	}
	if code := resp.StatusCode; code == http.StatusUnauthorized || code == http.StatusForbidden {
		return fmt.Errorf("%s: the key was refused (%s)", resp.Status, modelhttp.Discreet(modelhttp.Said(body), e.o.Key))
	}
	return errors.New(why)
}

// answer is what a server sends.
type answer struct {
	Data []struct {
		Index  int       `json:"index"`
		Vector []float32 `json:"embedding"`
	} `json:"data"`
	Error json.RawMessage `json:"error"`
}

// vectors reads an answer of n vectors of dim numbers, 0 for any, and makes them of
// unit length.
func vectors(body []byte, n, dim int) ([][]float32, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("the answer is not a list of vectors: %w", err)
	}
	if len(a.Error) > 0 && string(a.Error) != "null" {
		return nil, errors.New(modelhttp.Said(body))
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(a.Data), n)
	}
	out := make([][]float32, n)
	for _, d := range a.Data {
		switch {
		case d.Index < 0 || d.Index >= n || out[d.Index] != nil:
			return nil, fmt.Errorf("index %d among %d vectors", d.Index, n)
		case dim == 0:
			dim = len(d.Vector)
		case len(d.Vector) != dim:
			return nil, fmt.Errorf("a vector of %d numbers instead of %d: is it another model?", len(d.Vector), dim)
		}
		if !unit(d.Vector) {
			return nil, errors.New("a vector without a length")
		}
		out[d.Index] = d.Vector
	}
	return out, nil
}

// unit makes a vector one of length 1, and reports whether it could.
func unit(v []float32) bool {
	var square float64
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if !(square > 0) || math.IsInf(square, 0) {
		return false
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(square))
	}
	return true
}

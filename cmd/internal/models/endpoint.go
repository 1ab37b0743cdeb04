package models

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/endpoint"
)

// The keys that say which server embeds. None of them may stand in a repository.
const (
	EmbedderKey       = "embedder"
	endpointURLKey    = "endpoint_url"
	endpointModelKey  = "endpoint_model"
	endpointKeyEnvKey = "endpoint_key_env"
)

// EndpointSettings are the keys and values that let an endpoint embed.
func EndpointSettings(url, model, keyEnv string) [][2]string {
	return [][2]string{{endpointURLKey, url}, {endpointModelKey, model}, {endpointKeyEnvKey, keyEnv}, {EmbedderKey, "http"}}
}

// mostRecorded is above what is recorded of an endpoint, in bytes.
const mostRecorded = 64 << 10

// An endpointRecord is what was found out of an endpoint when it was tried: only one
// that was is ever asked.
type endpointRecord struct {
	URL   string `json:"url"`
	Model string `json:"model"`
	Dim   int    `json:"dim"`
}

// endpointEmbedder keeps its calibration beside the record, and when it was silent.
type endpointEmbedder struct {
	*endpoint.Endpoint
	dir     string
	now     func() time.Time
	hurried bool // who asks would rather have words at once
}

func (e endpointEmbedder) CalibrationFile() string { return filepath.Join(e.dir, "calibration.json") }

// endpointDir is where what is known of an endpoint lies; no model has a name that
// begins with a dot.
func (s *Set) endpointDir(url, model string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", url, model))
	return filepath.Join(s.folder(), fmt.Sprintf(".endpoint-%x", sum[:8]))
}

// endpoint is the endpoint of the settings, as it was tried.
func (s *Set) endpoint(c *config.Config) (embed.Embedder, error) {
	url, model, keyEnv := c.String(endpointURLKey), c.String(endpointModelKey), c.String(endpointKeyEnvKey)
	if url == "" || model == "" {
		return nil, fmt.Errorf("embedder is http, but %s or %s is not set; only words are compared", endpointURLKey, endpointModelKey)
	}
	dir := s.endpointDir(url, model)
	var r endpointRecord
	err := plainfile.CheckFolder(s.Home, dir)
	var data []byte
	if err == nil {
		data, err = plainfile.Read(filepath.Join(dir, "endpoint.json"), mostRecorded)
	}
	if errors.Is(err, plainfile.ErrOther) {
		return nil, fmt.Errorf("the endpoint is not used, and only words are compared: %w", err)
	}
	if err != nil || json.Unmarshal(data, &r) != nil || r.URL != url || r.Model != model || r.Dim < 1 {
		return nil, fmt.Errorf("the endpoint was never tried, and only words are compared: 'git sage model use --url %s %s'", url, model)
	}
	e, err := s.openEndpoint(url, model, keyEnv, r.Dim)
	if err != nil {
		return nil, err
	}
	return endpointEmbedder{e, dir, s.Now, s.Hurried}, nil
}

func (s *Set) openEndpoint(url, model, keyEnv string, dim int) (*endpoint.Endpoint, error) {
	o := endpoint.Options{URL: url, Model: model, Dim: dim}
	if keyEnv != "" {
		if o.Key = s.Getenv(keyEnv); o.Key == "" {
			return nil, fmt.Errorf("the embedding endpoint's key is missing: %s is not set", keyEnv)
		}
	}
	return endpoint.New(o)
}

// TryEndpoint finds out how wide its vectors are and what their cosines mean.
func (s *Set) TryEndpoint(ctx context.Context, url, model, keyEnv string) error {
	e, err := s.openEndpoint(url, model, keyEnv, 0)
	if err != nil {
		return err
	}
	v, err := e.Documents(ctx, []string{"the staging database is wiped every night"})
	if err != nil {
		return err
	}
	if e, err = s.openEndpoint(url, model, keyEnv, len(v[0])); err != nil {
		return err
	}
	dir := s.endpointDir(url, model)
	if err := plainfile.MakeFolder(s.Home, dir); err != nil {
		return err
	}
	if err := Calibrate(ctx, endpointEmbedder{Endpoint: e, dir: dir, now: s.Now}); err != nil {
		return err
	}
	data, err := json.Marshal(endpointRecord{url, model, len(v[0])})
	if err != nil {
		return err
	}
	return plainfile.Write(filepath.Join(dir, "endpoint.json"), data)
}

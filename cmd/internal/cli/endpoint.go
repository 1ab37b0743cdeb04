package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/cmd/internal/config"
	"github.com/git-sage/git-sage/cmd/internal/usage"
	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/embed/endpoint"
)

// The keys that say which server embeds. None of them may stand in a repository.
const (
	embedderKey       = "embedder"
	endpointURLKey    = "endpoint_url"
	endpointModelKey  = "endpoint_model"
	endpointKeyEnvKey = "endpoint_key_env"
)

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
func (a *app) endpointDir(url, model string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q", url, model))
	return filepath.Join(a.modelFolder(), fmt.Sprintf(".endpoint-%x", sum[:8]))
}

// endpointModel is the endpoint of the settings, as it was tried.
func (a *app) endpointModel(c *config.Config) (embed.Embedder, error) {
	url, model, keyEnv := c.String(endpointURLKey), c.String(endpointModelKey), c.String(endpointKeyEnvKey)
	if url == "" || model == "" {
		return nil, fmt.Errorf("embedder is http, but %s or %s is not set; only words are compared", endpointURLKey, endpointModelKey)
	}
	dir := a.endpointDir(url, model)
	var r endpointRecord
	err := plainfile.CheckFolder(a.home(), dir)
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
	e, err := a.openEndpoint(url, model, keyEnv, r.Dim)
	if err != nil {
		return nil, err
	}
	return endpointEmbedder{e, dir, a.Now, a.hurried}, nil
}

func (a *app) openEndpoint(url, model, keyEnv string, dim int) (*endpoint.Endpoint, error) {
	o := endpoint.Options{URL: url, Model: model, Dim: dim}
	if keyEnv != "" {
		if o.Key = a.Getenv(keyEnv); o.Key == "" {
			return nil, fmt.Errorf("the embedding endpoint's key is missing: %s is not set", keyEnv)
		}
	}
	return endpoint.New(o)
}

// endpointUse tries an endpoint, measures it and writes it into the user's settings.
func (a *app) endpointUse(ctx context.Context, model string, o useOptions) error {
	values := [][2]string{{endpointURLKey, o.url}, {endpointModelKey, model}, {endpointKeyEnvKey, o.keyEnv}, {embedderKey, "http"}}
	for _, v := range values {
		k, err := config.Lookup(v[0])
		if err != nil {
			return err
		}
		if _, err := k.Parse(v[1]); err != nil {
			return usage.Errorf("%v", err)
		}
	}
	if err := a.tryEndpoint(ctx, model, o); err != nil {
		return err
	}
	file := config.File{Path: a.userTuning()}
	for _, v := range values {
		if err := file.Set(v[0], v[1]); err != nil {
			return err
		}
	}
	a.Say("%s at %s is used from now on, as %s says: texts and prompts are sent there", model, o.url, file.Path)
	if err := a.overruled(ctx, embedderKey, "http"); err != nil {
		return err
	}
	return a.revector(ctx)
}

// tryEndpoint finds out how wide its vectors are and what their cosines mean.
func (a *app) tryEndpoint(ctx context.Context, model string, o useOptions) error {
	e, err := a.openEndpoint(o.url, model, o.keyEnv, 0)
	if err != nil {
		return err
	}
	v, err := e.Documents(ctx, []string{"the staging database is wiped every night"})
	if err != nil {
		return err
	}
	if e, err = a.openEndpoint(o.url, model, o.keyEnv, len(v[0])); err != nil {
		return err
	}
	dir := a.endpointDir(o.url, model)
	if err := plainfile.MakeFolder(a.home(), dir); err != nil {
		return err
	}
	if err := calibrated(ctx, endpointEmbedder{Endpoint: e, dir: dir, now: a.Now}); err != nil {
		return err
	}
	data, err := json.Marshal(endpointRecord{o.url, model, len(v[0])})
	if err != nil {
		return err
	}
	return plainfile.Write(filepath.Join(dir, "endpoint.json"), data)
}

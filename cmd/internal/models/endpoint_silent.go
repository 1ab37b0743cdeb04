package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-sage/git-sage/internal/plainfile"
	"github.com/git-sage/git-sage/recall/embed/endpoint"
)

// restTime is how long no prompt waits for an endpoint that was silent. Who is not
// hurried asks it all the same, and an answer ends the rest.
const restTime = time.Minute

// Queries implements embed.Embedder.
func (e endpointEmbedder) Queries(ctx context.Context, texts []string) (v [][]float32, err error) {
	err = e.asked(func() error { v, err = e.Endpoint.Queries(ctx, texts); return err })
	return v, err
}

// Documents implements embed.Embedder.
func (e endpointEmbedder) Documents(ctx context.Context, texts []string) (v [][]float32, err error) {
	err = e.asked(func() error { v, err = e.Endpoint.Documents(ctx, texts); return err })
	return v, err
}

// asked asks, unless the endpoint rests, and keeps whether it was silent.
func (e endpointEmbedder) asked(ask func() error) error {
	since, resting := e.rests()
	if resting && e.hurried {
		return fmt.Errorf("the embedding endpoint did not answer %s ago, and is skipped", since.Round(time.Second))
	}
	err := ask()
	if errors.Is(err, endpoint.ErrSilent) {
		// Derived: without it the next one waits, too.
		_ = plainfile.Write(e.silentFile(), []byte(e.now().UTC().Format(time.RFC3339Nano)+"\n"))
	} else if err == nil && resting {
		_ = os.Remove(e.silentFile())
	}
	return err
}

func (e endpointEmbedder) silentFile() string { return filepath.Join(e.dir, "silent") }

// rests says for how long the endpoint has rested. A time to come is none of ours.
func (e endpointEmbedder) rests() (since time.Duration, resting bool) {
	data, err := plainfile.Read(e.silentFile(), mostRecorded)
	if err != nil {
		return 0, false
	}
	var at time.Time
	if at.UnmarshalText(bytes.TrimSpace(data)) != nil {
		return 0, false
	}
	since = e.now().Sub(at)
	return since, since >= 0 && since < restTime
}

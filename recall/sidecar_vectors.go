package recall

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/recall/index"
)

// vectorBatch is how many chunks are embedded at a time: two batches of the encoder,
// so that a cancelled run loses little and a progress bar moves.
const vectorBatch = 32

// fewVectors is how many missing vectors somebody waits for who asks outright: a fifth of a
// second with the embedded model, and what a session of an hour saves. More are made in the
// background.
const fewVectors = 32

// fill makes the vectors that are missing: a few, or, where there is no background,
// all; quick makes none that the background can make. What is found damaged is made
// anew.
func (sh *shelf) fill(ctx context.Context, quick bool) error {
	if sh.model == nil {
		return nil
	}
	var some []index.Chunk
	var all int
	err := sh.whole(ctx, func() (err error) { some, all, err = sh.index.Missing(ctx, fewVectors); return err })
	switch {
	case err != nil || all == 0:
		return err
	case sh.index.Unwritten() != nil && (quick || all > fewVectors): // they could not be kept
		return nil
	case all <= fewVectors && !(quick && sh.m.Background != nil):
		return sh.embed(ctx, some)
	case sh.m.Background != nil:
		sh.left = all
		sh.wake(ctx)
		return nil
	}
	return sh.fillAll(ctx, nil)
}

// unread says of what somebody asked for what only words can find as yet.
func (sh *shelf) unread() error {
	if sh.left == 0 {
		return nil
	}
	return fmt.Errorf("%d texts are found by their words alone until the background has read them", sh.left)
}

// fillAll makes all vectors that are missing, and tells how many there are yet.
func (sh *shelf) fillAll(ctx context.Context, left func(int)) error {
	for sh.model != nil {
		some, all, err := sh.index.Missing(ctx, vectorBatch)
		if left != nil {
			left(all)
		}
		if err != nil || all == 0 {
			return err
		}
		if err := sh.embed(ctx, some); err != nil {
			return err
		}
		if err := sh.index.Unwritten(); err != nil {
			return err
		}
	}
	return nil
}

func (sh *shelf) embed(ctx context.Context, chunks []index.Chunk) error {
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.Text
	}
	made, err := sh.model.Documents(ctx, texts)
	if err != nil {
		return err
	}
	vectors := make([]index.Vector, len(made))
	for i, v := range made {
		vectors[i] = index.Vector{ID: chunks[i].ID, V: v}
	}
	return sh.index.AddVectors(ctx, vectors)
}

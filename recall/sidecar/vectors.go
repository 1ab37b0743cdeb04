package sidecar

import (
	"context"
	"fmt"

	"github.com/git-sage/git-sage/gitstore"
	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/index"
)

// vectorBatch is how many chunks are embedded at a time: two batches of the encoder,
// so that a cancelled run loses little and a progress bar moves.
const vectorBatch = 32

// FewVectors is how many missing vectors somebody waits for who asks outright: a fifth of a
// second with the embedded model, and what a session of an hour saves. More are made in the
// background.
const FewVectors = 32

// Fill makes the vectors that are missing: a few, or, where there is no background,
// all; quick makes none that the background can make. What is found damaged is made
// anew.
func (sc *Sidecar) Fill(ctx context.Context, quick bool) error {
	if sc.Model == nil {
		return nil
	}
	var some []index.Chunk
	var all int
	err := sc.Whole(ctx, func() (err error) { some, all, err = sc.Index.Missing(ctx, FewVectors); return err })
	switch {
	case err != nil || all == 0:
		return err
	case sc.Index.Unwritten() != nil && (quick || all > FewVectors): // they could not be kept
		return nil
	case all <= FewVectors && !(quick && sc.o.Background != nil):
		return sc.embed(ctx, some)
	case sc.o.Background != nil:
		sc.left = all
		sc.Wake(ctx)
		return nil
	}
	return sc.fillAll(ctx, nil)
}

// Unread says of what somebody asked for what only words can find as yet.
func (sc *Sidecar) Unread() error {
	if sc.left == 0 {
		return nil
	}
	return fmt.Errorf("%d texts are found only by words until they are indexed in the background", sc.left)
}

// fillAll makes all vectors that are missing, and tells how many there are yet.
func (sc *Sidecar) fillAll(ctx context.Context, left func(int)) error {
	for sc.Model != nil {
		some, all, err := sc.Index.Missing(ctx, vectorBatch)
		if left != nil {
			left(all)
		}
		if err != nil || all == 0 {
			return err
		}
		if err := sc.embed(ctx, some); err != nil {
			return err
		}
		if err := sc.Index.Unwritten(); err != nil {
			return err
		}
	}
	return nil
}

func (sc *Sidecar) embed(ctx context.Context, chunks []index.Chunk) error {
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.Text
	}
	made, err := sc.Model.Documents(ctx, texts)
	if err == nil {
		err = sc.isThere()
	}
	if err != nil {
		return err
	}
	vectors := make([]index.Vector, len(made))
	for i, v := range made {
		vectors[i] = index.Vector{ID: chunks[i].ID, V: v}
	}
	return sc.Index.AddVectors(ctx, vectors)
}

// ItemTexts are the pieces of an item that a model will embed once somebody here saved it.
func ItemTexts(model embed.Embedder, it *sage.Item) (texts []string) {
	d := itemDoc(gitstore.ItemEntry{Item: it}, all)
	o := optionsFor(model)
	for _, c := range o.Chunks(&d) {
		texts = append(texts, c.Text)
	}
	return texts
}

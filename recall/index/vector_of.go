package index

import (
	"context"
	"slices"

	"github.com/git-sage/git-sage/recall/index/internal/segment"
)

// VectorOf is the vector of a document's first chunk, nil if there is none yet. It
// spares whoever looks for what is like a document that is in the index to embed it
// once more.
func (x *Index) VectorOf(ctx context.Context, key string) (vector []float32, err error) {
	err = x.read(ctx, func() error {
		near := &meaningLeg{vsegs: x.vsegs}
		for i := len(x.segs) - 1; i >= 0; i-- {
			s := x.segs[i]
			doc, ok, err := s.Doc(segment.HashOf(key))
			if err != nil {
				return err
			}
			if !ok || s.IsDead(doc) {
				continue
			}
			if chunks := s.Names[s.Docs[doc].Chunk:s.Docs[doc+1].Chunk]; len(chunks) > 0 {
				vector, err = near.row(chunks[0].Name)
				vector = slices.Clone(vector) // of a mapped file
			}
			return err
		}
		return nil
	})
	return vector, x.healed(err)
}

package index

import "context"

// Verify reads all that is there, and not only what a search does. What is damaged goes,
// as with a search that meets it, and the error is an ErrDamaged.
func (x *Index) Verify(ctx context.Context) error {
	err := x.read(ctx, func() error {
		for _, s := range x.segs {
			if err := s.B.Verify(); err != nil {
				return err
			}
		}
		for _, v := range x.vsegs {
			if err := v.B.Verify(); err != nil {
				return err
			}
		}
		return ctx.Err()
	})
	return x.told(err)
}

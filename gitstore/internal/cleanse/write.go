package cleanse

import (
	"context"
	"maps"
	"slices"

	"github.com/git-sage/git-sage/gitstore/internal/loose"
)

// fewObjects is up to how many are written one by one, which takes about a
// millisecond each; more go into a pack.
const fewObjects = 100

// Write makes what the cleaner made durable.
func (c *Cleaner) Write(ctx context.Context) error {
	var objects []loose.Object
	for _, id := range slices.Sorted(maps.Keys(c.made)) {
		objects = append(objects, c.made[id])
	}
	if len(objects) == 0 {
		return nil
	}
	if len(objects) <= fewObjects {
		return c.s.backup.Put(ctx, objects...)
	}
	_, err := c.s.backup.PutPack(ctx, objects)
	return err
}

package stores

import (
	"context"

	"github.com/git-sage/git-sage/gitstore/sage"
	"github.com/git-sage/git-sage/recall/embed"
	"github.com/git-sage/git-sage/recall/sidecar"
)

// mostAhead is how many bytes of items are cut for it: more are cut once only.
const mostAhead = 16 << 10

// Ahead is [Stores.Embedder], which begins to embed items that are about to be saved, while
// the save waits for the disk. A text that redaction changes is embedded again, as it was
// saved. Only the model within this process begins: no other is to see a text before it is
// redacted.
func (st *Stores) Ahead(ctx context.Context, items []*sage.Item) (embed.Embedder, error) {
	model, err := st.Embedder()
	local, is := model.(*embed.Bert)
	if !is {
		return model, err
	}
	var texts []string
	size := 0
	for _, it := range items {
		if size += len(it.Text()); size > mostAhead {
			return model, err
		}
		texts = append(texts, sidecar.ItemTexts(local, it)...)
	}
	if len(texts) == 0 || len(texts) > sidecar.FewVectors { // the background embeds more
		return model, err
	}
	return local.Ahead(ctx, texts), err
}

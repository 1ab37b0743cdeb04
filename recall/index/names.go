package index

import "github.com/git-sage/git-sage/recall/index/internal/segment"

// What segments hold, under the names by which callers know it.
type (
	ChunkID = segment.ChunkID
	Doc     = segment.Doc
	Meta    = segment.Meta
)

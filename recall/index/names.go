package index

import "github.com/git-sage/git-sage/recall/index/internal/segment"

// What segments hold, under the names by which callers know it.
type (
	Doc  = segment.Doc
	Meta = segment.Meta
)

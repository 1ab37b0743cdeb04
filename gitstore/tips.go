package gitstore

import (
	"context"
	"strings"
)

// Tips are the refs that hold what can be searched, with the commits that they are
// at: lines, forks, and the knowledge tree. Whoever derives something from them notes
// which it was.
func (s *Store) Tips(ctx context.Context) (map[string]string, error) {
	refs, err := s.refs(ctx, headsPrefix, forksPrefix, KnowledgeRef)
	if err != nil {
		return nil, err
	}
	tips := map[string]string{}
	for _, r := range refs {
		if r.name == KnowledgeRef || !strings.HasPrefix(r.name, KnowledgeRef) {
			tips[r.name] = r.id
		}
	}
	return tips, nil
}

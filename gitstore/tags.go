package gitstore

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Tags lists the tags, by name.
func (s *Store) Tags(ctx context.Context) ([]Tag, error) {
	refs, err := s.refs(ctx, tagsPrefix)
	if err != nil {
		return nil, err
	}
	var out []Tag
	for _, r := range refs {
		out = append(out, Tag{strings.TrimPrefix(r.name, tagsPrefix), r.id})
	}
	return out, nil
}

// Tag names a checkpoint. One that exists is moved only with force, and never
// once it was pushed.
func (s *Store) Tag(ctx context.Context, name, rev string, force bool) (Tag, error) {
	if err := s.checkNewName(name); err != nil {
		return Tag{}, err
	}
	id, err := s.Resolve(ctx, orAt(rev))
	if err != nil {
		return Tag{}, err
	}
	if err := s.admit(ctx, id, ""); err != nil {
		return Tag{}, err
	}
	old, err := s.tip(ctx, tagsPrefix+name)
	if err != nil {
		return Tag{}, err
	}
	if old != "" && !force {
		return Tag{}, fmt.Errorf("tag '%s' %w", name, ErrExists)
	}
	if err := s.tagIsOurs(ctx, name, old); err != nil {
		return Tag{}, err
	}
	if err := s.guard(ctx, tagsPrefix+name, old); err != nil {
		return Tag{}, err
	}
	put := s.move
	if old != "" {
		put = s.moveBack
	}
	if err := put(ctx, "sage: tag "+short(id), move{tagsPrefix + name, old, id}); err != nil {
		if errors.Is(err, errMoved) {
			err = fmt.Errorf("tag '%s' %w", name, ErrExists)
		}
		return Tag{}, err
	}
	return Tag{name, id}, nil
}

// DeleteTag removes a name. The checkpoint stays.
func (s *Store) DeleteTag(ctx context.Context, name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	old, err := s.tip(ctx, tagsPrefix+name)
	if err != nil {
		return err
	}
	if old == "" {
		return fmt.Errorf("%w: tag '%s'", ErrNotFound, name)
	}
	if err := s.tagIsOurs(ctx, name, old); err != nil {
		return err
	}
	return s.moveBack(ctx, "sage: delete tag", move{tagsPrefix + name, old, ""})
}

// tagIsOurs refuses to change a tag that a remote has: others rely on it.
func (s *Store) tagIsOurs(ctx context.Context, name, id string) error {
	if id == "" {
		return nil
	}
	where, err := s.namedByRemote(ctx, "tags/"+name)
	if where != "" {
		err = fmt.Errorf("tag '%s' was pushed and cannot be changed; choose another name", name)
	}
	return err
}

package write

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-sage/git-sage/gitstore/internal/commits"
	"github.com/git-sage/git-sage/gitstore/internal/journal"
	"github.com/git-sage/git-sage/gitstore/internal/record"
	"github.com/git-sage/git-sage/gitstore/internal/refname"
	"github.com/git-sage/git-sage/gitstore/internal/repo"
)

// Tags lists the tags, by name.
func (li *Lines) Tags(ctx context.Context) ([]Tag, error) {
	refs, err := li.repo.Refs(ctx, refname.TagsPrefix)
	if err != nil {
		return nil, err
	}
	var out []Tag
	for _, r := range refs {
		out = append(out, Tag{strings.TrimPrefix(r.Name, refname.TagsPrefix), r.ID})
	}
	return out, nil
}

// Tag names a checkpoint. One that exists is moved only with force, and never
// once it was pushed.
func (li *Lines) Tag(ctx context.Context, name, rev string, force bool) (Tag, error) {
	if err := li.repo.CheckNewName(name); err != nil {
		return Tag{}, err
	}
	id, err := li.commits.Resolve(ctx, commits.OrAt(rev))
	if err != nil {
		return Tag{}, err
	}
	if err := li.admission.Admit(ctx, id, ""); err != nil {
		return Tag{}, err
	}
	old, err := li.repo.Tip(ctx, refname.TagsPrefix+name)
	if err != nil {
		return Tag{}, err
	}
	if old != "" && !force {
		return Tag{}, fmt.Errorf("tag '%s' %w", name, repo.ErrExists)
	}
	if err := li.TagIsOurs(ctx, name, old); err != nil {
		return Tag{}, err
	}
	if err := li.history.Guard(ctx, refname.TagsPrefix+name, old); err != nil {
		return Tag{}, err
	}
	put := li.ledger.Move
	if old != "" {
		put = li.ledger.MoveBack
	}
	if err := put(ctx, "sage: tag "+record.Short(id), journal.Move{Ref: refname.TagsPrefix + name, Old: old, New: id}); err != nil {
		if errors.Is(err, journal.ErrMoved) {
			err = fmt.Errorf("tag '%s' %w", name, repo.ErrExists)
		}
		return Tag{}, err
	}
	return Tag{name, id}, nil
}

// DeleteTag removes a name. The checkpoint stays.
func (li *Lines) DeleteTag(ctx context.Context, name string) error {
	if err := refname.CheckName(name); err != nil {
		return err
	}
	old, err := li.repo.Tip(ctx, refname.TagsPrefix+name)
	if err != nil {
		return err
	}
	if old == "" {
		return &commits.NotFoundError{Kind: "tag", Name: name}
	}
	if err := li.TagIsOurs(ctx, name, old); err != nil {
		return err
	}
	return li.ledger.MoveBack(ctx, "sage: delete tag", journal.Move{Ref: refname.TagsPrefix + name, Old: old, New: ""})
}

// TagIsOurs refuses to change a tag that a remote has: others rely on it. One that a remote
// has elsewhere was never pushed, and only gives way.
func (li *Lines) TagIsOurs(ctx context.Context, name, id string) error {
	if id == "" {
		return nil
	}
	where, err := li.history.NamedByRemote(ctx, "tags/"+name, id)
	if where != "" {
		err = fmt.Errorf("tag '%s' was pushed and cannot be changed; choose another name", name)
	}
	return err
}

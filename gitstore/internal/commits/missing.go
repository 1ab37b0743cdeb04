package commits

import "github.com/git-sage/git-sage/gitstore/internal/repo"

// A NotFoundError says that nothing has a name. It is an ErrNotFound.
type NotFoundError struct {
	Kind string // line, fork or tag; "checkpoint on line" if that is empty; "" is a checkpoint
	Name string
}

func (e *NotFoundError) Error() string {
	if e.Kind == "" {
		return repo.ErrNotFound.Error() + ": '" + e.Name + "'"
	}
	return "no " + e.Kind + " '" + e.Name + "'"
}

func (e *NotFoundError) Is(target error) bool { return target == repo.ErrNotFound }

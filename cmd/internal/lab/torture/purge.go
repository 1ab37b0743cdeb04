//go:build linux

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// secret is what a purge is to take out, and what stands there then.
const (
	secret = "hush-hush-4242"
	purged = "[PURGED]"
)

// planted lets a checkpoint with the secret lie in the middle of a line, packed
// and in the backup.
func planted(r *repo) error {
	id, err := r.saveThat(secret + " holds.")
	if err != nil {
		return err
	}
	for range 2 {
		if _, err := r.save(); err != nil {
			return err
		}
	}
	if _, err := r.b.sage(r.dir, "admin", "maintenance"); err != nil {
		return err
	}
	if _, err := r.save(); err != nil {
		return err
	}
	return r.write(".git/secret", id+"\n")
}

// purging is the command that takes the checkpoint with the secret out.
func purging(r *repo) []string {
	return []string{"sh", "-c", `exec "$0" purge "$(cat .git/secret)" --yes`, r.b.bin}
}

// cleaned is what must be so after a purge that was killed, failed or succeeded, once
// its cure was applied: the secret is in no object and no file of ours, and every
// other checkpoint is there by the id that it had.
func cleaned(drops bool) func(*act, *repo, bool) error {
	return func(a *act, r *repo, acked bool) error {
		if !acked {
			if err := r.cure(a); err != nil {
				return err
			}
		}
		return errors.Join(r.renamed(drops), r.without())
	}
}

// cure saves, and finishes the purge: as it began, or, where no ref leads to the
// secret any more, by removing what is left.
func (r *repo) cure(a *act) error {
	if _, err := r.save(); err != nil {
		return fmt.Errorf("the save behind it: %w", err)
	}
	held, err := r.b.git(r.dir, "log", "--glob=refs/sage", "--format=%H", "--grep="+secret)
	if err != nil {
		return err
	}
	if held != "" {
		return again(a, r, false)
	}
	_, err = r.b.sage(r.dir, "purge", "--finish", "--yes")
	return err
}

// without makes sure that nothing holds the secret: every object that git can read,
// here and in the backup, and every file of ours.
func (r *repo) without() error {
	return r.sh(`holds() { git "$@" cat-file --batch-all-objects --batch | grep -a -q ` + secret + `; }
if holds; then echo "an object holds the secret" >&2; exit 1; fi
if test -d .git/sage/backup.git && holds --git-dir=.git/sage/backup.git; then echo "the backup holds the secret" >&2; exit 1; fi
if grep -r -a -l ` + secret + ` .git/sage .git/refs .git/logs .git/packed-refs >&2; then exit 1; fi`)
}

// renamed asks for every acknowledged checkpoint by its old id, and goes on with the
// new one.
func (r *repo) renamed(drops bool) error {
	reach, err := r.b.git(r.dir, "rev-list", "--glob=refs/sage/heads", "--glob=refs/sage/forks")
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(r.acked)) {
		holds, text := r.acked[id], r.read[id]
		if strings.Contains(reach, id) && !strings.Contains(holds, secret) {
			continue // it is what it was
		}
		if strings.Contains(holds, secret) && drops {
			delete(r.acked, id)
			continue
		}
		now, err := r.b.sage(r.dir, "rev-parse", id)
		if err != nil {
			return fmt.Errorf("the old id %s: %w", id, err)
		}
		delete(r.acked, id)
		r.acked[now] = strings.ReplaceAll(holds, secret, purged)
		if text != "" {
			r.read[now] = strings.ReplaceAll(text, secret, purged)
		}
	}
	return nil
}

// Package sage holds the nouns of git-sage: a checkpoint, an item, and what they are made of.
//
// It knows nothing of git, and does no input or output. What is done with these values has
// packages of its own below: they are read and printed (codec), read as people and agents
// write them (ingest, shorthand), checked (validate), merged, compared (diff) and shown
// (briefing). All of them must agree on every field, or it is lost: so each value names its
// fields once, in fields.go and item_fields.go.
//
// Size: 80 names, for each word that a field may hold is one.
package sage

// Package recall is the memory that every front end calls: to save a checkpoint, and to put
// what is known in front of somebody again.
//
// A [Memory] hands out its rooms, each by a field:
//
//	m := recall.New(recall.Options{Store: store})
//	saved, err := m.Save.Checkpoint(ctx, note)
//	found, err := m.Search.Find(ctx, "eviction", search.SearchOptions{})
//	items, err := m.Knowledge.Items(ctx, recall.ItemQuery{})
//
// The packages whose values callers name lie beside this one, the others under internal.
//
// Scores and choices are those of package rank, which needs no store; what searches derive of
// git is that of package sidecar.
package recall

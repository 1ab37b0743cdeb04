// Package ingest reads checkpoints that people and agents write: Markdown, YAML, JSON, a brief, or
// any of these inside a longer text, in the spellings of other schemas, too.
package ingest

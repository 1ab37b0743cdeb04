// Package codec reads and prints the Markdown in which checkpoints and items are stored.
//
// FORMAT.md of package gitstore describes it. [Parse] and [Marshal] are the two ends of a
// checkpoint, [ParseItem] and [MarshalItem] those of an item.
package codec

// Package models keeps the sentence models that a person brought, in a folder beside
// their settings: each with its weights as the encoder reads them, and a record of
// what they were made from.
//
//	<folder>/<name>/weights.bin        see recall/embed/internal/format
//	<folder>/<name>/model.json         [Info]: source, checksums, licence
//	<folder>/<name>/calibration.json   written by package recall
//	<folder>/<name>/onnx-<checksum>/   in place of weights.bin, what package onnx runs
//
// The "/" in a name such as BAAI/bge-small-en-v1.5 is "@" in that of its folder, so
// that no model lies within another. weights.bin is complete or not there: it is
// written beside, synced and renamed, and says itself what it is of; the record
// follows, and is used only if it speaks of these weights.
package models

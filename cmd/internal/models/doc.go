// Package models is the embedding models that run here: those built into the program, ONNX
// models in a person's folder, and a server that they named.
package models

// Package convert makes the encoder's file of weights out of a model as others
// publish it (Read, for a folder): the tensors of an ONNX or safetensors file under the
// names that BERT's have had since its first release, the vocabulary of a tokenizer.json
// or vocab.txt, and what the files beside them say of pooling, lengths and prefixes.
// What it reads may come from anybody; what is of another kind is refused with
// ErrUnsupported, what is broken with an error that says where. The same input gives
// the same bytes on every machine.
//
// Weights become 8-bit numbers, one scale for each output of a linear map and each
// row of the word embeddings: the largest of the row is 127. Position embeddings,
// biases and LayerNorms stay float32. The scale of attention, 1/sqrt(head), is
// multiplied into the query's weights, so that nobody has to do it later.
package convert

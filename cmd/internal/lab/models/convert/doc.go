// Package convert makes the encoder's file of weights out of a model as others
// publish it: the tensors of an ONNX file under the names that BERT's have had since its
// first release, and the vocabulary of a tokenizer.json. What is of another kind or broken
// is refused with an error that says where. The same input gives the same bytes on every
// machine.
//
// Weights become 8-bit numbers, one scale for each output of a linear map and each
// row of the word embeddings: the largest of the row is 127. Position embeddings,
// biases and LayerNorms stay float32. The scale of attention, 1/sqrt(head), is
// multiplied into the query's weights, so that nobody has to do it later.
package convert

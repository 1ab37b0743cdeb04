// Package format is the file of weights that the encoder reads in place: what it
// says of its model, and where in it each array lies. The reader (package embed)
// and the writer (package convert) both walk Sections, so that they cannot differ.
//
// A file is a head of 2048 bytes and a body. The head is text, which `head -c 2048`
// shows: the line Magic, then one "key: value" a line, then line feeds up to its
// end. All keys are there, in the order of Head's fields. Prefixes are quoted as in
// Go. Version 1 stands in the magic line; a file of another is refused.
//
// The body is arrays of little-endian numbers, in the order of Sections, each at a
// multiple of 64 bytes from the file's begin, zeros between:
//
//	slots   u16[Slots]             hash table of the vocabulary: FNV-1a of the token, h^h>>16, linear probing; 0xffff is free
//	ends    u32[Vocab+1]           token i is text[ends[i]:ends[i+1]]
//	text    u8[TextBytes]          the tokens, end to end
//	wscale  f32[Vocab]             row i of the word embeddings is wscale[i]*word[i]
//	word    s8[Vocab*Hidden]
//	pos     f32[Positions*Hidden]  position embedding + embedding of token type 0
//	ln                             the first LayerNorm
//
// and for each layer qkv (3*Hidden outputs of Hidden inputs, the query's scaled by
// 1/sqrt(Hidden/Heads)), o (Hidden of Hidden), ln1, f1 (Inner of Hidden), f2.in (f32[Inner],
// what the inputs of f2 are multiplied by), f2 (Hidden of Inner), ln2. A LayerNorm is
//
//	w, b    f32[Hidden] twice      weight and bias
//	qw, qb  f32[Hidden] twice      those of the copy that the next linear map is applied to
//
// and a linear map of k inputs to n outputs
//
//	scale   f32[n]
//	bias    f32[n]
//	w       u8[n*k]                weight (n, k) is scale[n]*(w-128), w is 1 to 255
//
// w lies in blocks of 16 outputs, in a block by groups of 4 inputs: weight (n, k) is
// byte ((n/16)*(K/4)+k/4)*64 + n%16*4 + k%4. That is the order in which the dot
// product instructions of amd64 and arm64 want it, and any other loop reads it
// forwards.
package format

// Package box is the form of a segment's file: a header, and behind it sections of
// bytes or of rows of one size, each at a multiple of 64.
//
//	0     magic, in the byte order of the machine: files do not travel
//	8     kind of the file
//	16    id: of the format, the repository and the model, hashed
//	48    length of the file
//	56    number of rows in the first section
//	64    32 times offset, length and CRC-32C of a section
//	832   zeros
//	1020  CRC-32C of what is before it
//
// Who opens one knows that the header is whole and that the file is as long as it
// was. A section is verified when it is first asked for. Of a large one, pieces of
// which carry their own checksums, raw access is there as well.
package box

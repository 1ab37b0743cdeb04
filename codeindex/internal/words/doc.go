// Package words turns source code, and questions about it, into the terms that keyword search
// compares.
//
// A term is a hash. Of an identifier there is one for each of its parts, lower case and
// without inflection, so that "parsing headers" finds parseHeader, and one for the whole
// where it has several parts, so that parse_header, parseHeader and ParseHeader are one:
//
//	parseHTTPHeader -> pars, http, header, parsehttphead
//
// Documents and questions go through the same code. Nothing is left out: how common a word
// is, is counted by the index, and "for" is rarer in prose than in code.
package words

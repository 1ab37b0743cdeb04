package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// maxNesting is how deep values may nest: arguments need four levels and what
// a domain brings.
const maxNesting = 100

var errTwice = errors.New("a key is given twice")

// DecodeAll reads the JSON values of a line, one after another. Objects become
// map[string]any with the keys as they are written, numbers json.Number.
func DecodeAll(line []byte) (values []any, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber()
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return values, err
		}
		v, err := decodeToken(dec, t, 0)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil && !errors.Is(err, errTwice) {
			return values, err
		}
		if values = append(values, v); err != nil {
			return values, err
		}
	}
}

// decodeToken reads the value that begins with t. When a key is given twice
// the first value stands, and the whole value comes with the error.
func decodeToken(dec *json.Decoder, t json.Token, depth int) (any, error) {
	open, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth == maxNesting {
		return nil, fmt.Errorf("nested more than %d deep", maxNesting)
	}
	var twice error
	list, object := []any{}, map[string]any{}
	for dec.More() {
		key := ""
		if open == '{' {
			k, err := dec.Token()
			if err != nil {
				return nil, err
			}
			key, _ = k.(string)
		}
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		v, err := decodeToken(dec, t, depth+1)
		if errors.Is(err, errTwice) {
			twice = err
		} else if err != nil {
			return nil, err
		}
		if _, ok := object[key]; ok {
			twice = fmt.Errorf("%w: %s", errTwice, strconv.QuoteToASCII(key))
			continue
		}
		if open == '[' {
			list = append(list, v)
		} else {
			object[key] = v
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if open == '[' {
		return list, twice
	}
	return object, twice
}

// CheckText reports text in line that would not come back as it was sent:
// bytes that are no UTF-8, halves of surrogate pairs, and NUL.
func CheckText(line []byte) error {
	if !utf8.Valid(line) {
		return errors.New("text is not UTF-8")
	}
	for i := 0; i < len(line); i++ {
		if line[i] != '\\' {
			continue
		}
		u, ok := escaped(line[i:])
		if !ok {
			i++ // the next byte is escaped, whatever it is
			continue
		}
		low, paired := escaped(line[min(i+6, len(line)):])
		switch {
		case u == 0:
			return errors.New("text holds a NUL character")
		case u >= 0xdc00 && u < 0xe000, u >= 0xd800 && u < 0xdc00 && !(paired && low >= 0xdc00 && low < 0xe000):
			return fmt.Errorf("text holds half a character: \\u%04x", u)
		case u >= 0xd800 && u < 0xdc00:
			i += 6
		}
		i += 5
	}
	return nil
}

// escaped reads \uXXXX.
func escaped(b []byte) (uint64, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	u, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return u, err == nil
}

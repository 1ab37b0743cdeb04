package patterns

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// Detect names the language of a file that is read by patterns. Extensions that two
// languages share are told apart by how the file begins.
func Detect(base string, head []byte) string {
	switch strings.ToLower(path.Ext(base)) {
	case ".m":
		if matlabLine().Match(head) && !objectiveLine().Match(head) {
			return "matlab"
		}
	case ".pl":
		if prologLine().Match(head) && !perlLine().Match(head) {
			return "prolog"
		}
	case ".s":
		if goLine().Match(head) {
			return "goassembly"
		}
	case ".v":
		if verilogLine().Match(head) {
			return "verilog"
		}
	}
	return all().detect(base)
}

var (
	matlabLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(?:%|function\b|classdef\b|end\s*$|\w+ = [^;{]*;\s*$|clear\b|close all)`)
	})
	objectiveLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(?:#import|#include|@interface|@implementation|@protocol|@import|@class|//|/\*)`)
	})
	prologLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(?::- |[a-z]\w*(?:\(.*\))?\s*(?::-|-->))`) })
	perlLine   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(?:use |sub |package |my |#!.*perl|=\w+)`) })
	goLine     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:TEXT|GLOBL|DATA)\s+\S+\(SB\)|^#include "textflag\.h"`)
	})
	verilogLine = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?m)^\\s*(?:module\\s+\\w+\\s*(?:#?\\(|;)|endmodule|`timescale|`include|`define|always\\b)")
	})
)

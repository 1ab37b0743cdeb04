package parse

import (
	"slices"
	"testing"
)

func TestDetect(t *testing.T) {
	for _, tt := range []struct{ name, head, want string }{
		{"a/b/main.go", "", "go"},
		{`a\b\main.PY`, "", "python"},
		{"x.d.ts", "", "typescript"},
		{"x.tsx", "", "tsx"},
		{"x.jsx", "", "javascript"},
		{"Dockerfile", "", "dockerfile"},
		{"build/Dockerfile.dev", "", "dockerfile"},
		{"Gemfile", "", "ruby"},
		{"x.h", "#include <stdio.h>\nint f(void);\n", "c"},
		{"x.h", "#pragma once\nnamespace x {\n", "cpp"},
		{"x.proto", "", "protobuf"},
		{".bashrc", "", "bash"},
		{"run", "#!/bin/sh\n", "bash"},
		{"run", "#!/usr/bin/env python3.12\nx", "python"},
		{"run", "#!/usr/bin/env -S FOO=1 node --flag\n", "javascript"},
		{"run", "#!/usr/bin/ruby2.7", "ruby"},
		{"run", "#! /usr/bin/lua5.4\n", "lua"},
		{"run", "#!/usr/bin/env\n", ""},
		{"run", "#!", ""},
		{"run", "python", ""},
		{"run.txt", "#!/bin/sh\n", ""},
		{"Makefile", "", "make"},
		{"LICENSE", "", ""},
		{"run", "#!/usr/bin/perl -w\n", "perl"},
		{"x.m", "#import <Foundation/Foundation.h>\n", "objc"},
		{"x.m", "% Adds up.\nfunction y = f(x)\n", "matlab"},
		{"x.pl", "use strict;\n", "perl"},
		{"x.pl", ":- module(x, []).\n", "prolog"},
		{"x.v", "module main\n\nfn main() {}\n", "v"},
		{"x.v", "module counter(input clk);\n", "verilog"},
		{"x.", "", ""},
		{"", "", ""},
	} {
		if got := Detect(tt.name, []byte(tt.head)); got != tt.want {
			t.Errorf("Detect(%q, %q) = %q, want %q", tt.name, tt.head, got, tt.want)
		}
	}
}

// TestDetectedCanBeParsed makes sure that Detect names nothing that Parse does not know.
func TestDetectedCanBeParsed(t *testing.T) {
	languages := Languages()
	for _, name := range []string{
		"x.go", "x.py", "x.js", "x.ts", "x.tsx", "x.java", "x.c", "x.h", "x.cc", "x.rs", "x.cs", "x.rb", "x.php",
		"x.kt", "x.swift", "x.scala", "x.sh", "x.lua", "x.ex", "x.elm", "x.ml", "x.gradle", "x.sql", "x.css", "x.html",
		"x.svelte", "Dockerfile", "x.tf", "x.proto", "x.toml", "x.yml", "x.cue", "x.md",
	} {
		if got := Detect(name, nil); !slices.Contains(languages, got) {
			t.Errorf("Detect(%q) = %q, which is none of %v", name, got, languages)
		}
	}
}

func TestNamed(t *testing.T) {
	for word, want := range map[string]string{
		"go": "go", "Golang": "go", "py": "python", "JS": "javascript", "c++": "cpp", "C#": "csharp", "objective-c": "objc", "pyton": "pyton", "": "",
	} {
		if got := Named(word); got != want {
			t.Errorf("Named(%q) = %q, want %q", word, got, want)
		}
	}
}

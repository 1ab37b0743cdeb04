module github.com/git-sage/git-sage/cmd/internal/lab

go 1.26.0

require github.com/git-sage/git-sage v0.0.0-00010101000000-000000000000

require (
	github.com/blevesearch/snowballstem v0.9.0 // indirect
	github.com/chewxy/math32 v1.11.1 // indirect
	github.com/coder/hnsw v0.6.2-0.20260622133054-36cab6028fed // indirect
	github.com/evanw/esbuild v0.28.2 // indirect
	github.com/google/renameio v1.0.1 // indirect
	github.com/viterin/partial v1.1.0 // indirect
	github.com/viterin/vek v0.4.2 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/exp v0.0.0-20260508232706-74f9aab9d74a // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	mvdan.cc/sh/v3 v3.14.1 // indirect
)

replace github.com/git-sage/git-sage => ../../..

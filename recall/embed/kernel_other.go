//go:build !amd64 && !arm64

package embed

func kernels() []kernel { return []kernel{portable} }

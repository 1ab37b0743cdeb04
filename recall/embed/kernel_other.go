//go:build !amd64

package embed

func kernels() []kernel { return []kernel{portable} }

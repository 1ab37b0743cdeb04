package embed

func kernels() []kernel { return []kernel{portable} }

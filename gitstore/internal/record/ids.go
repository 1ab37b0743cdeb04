package record

func IsHex(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return s != ""
}

func Short(id string) string {
	if len(id) > 8 {
		return id[:8]
	}
	return id
}

package gitstore

func (f *fetching) knowledge() error { return nil }

package files

import (
	"slices"
	"testing"
)

func TestStretches(t *testing.T) {
	for _, tt := range []struct{ list, want [][2]int }{
		{nil, nil},
		{[][2]int{{5, 9}, {1, 3}}, [][2]int{{1, 3}, {5, 9}}},
		{[][2]int{{4, 9}, {1, 3}}, [][2]int{{1, 9}}},
		{[][2]int{{1, 9}, {2, 3}, {3, 12}}, [][2]int{{1, 12}}},
	} {
		if got := stretches(slices.Clone(tt.list)); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v", tt.list, got)
		}
	}
	var many [][2]int
	for i := range 40 {
		many = append(many, [2]int{1 + i*i, 1 + i*i})
	}
	if got := stretches(many); len(got) != maxStretches || got[0] != [2]int{1, 1 + 24*24} || got[15] != [2]int{1 + 39*39, 1 + 39*39} {
		t.Errorf("%v", got)
	}
}

func TestHunksMoveLines(t *testing.T) {
	for _, tt := range []struct {
		h          hunk
		list, want [][2]int
	}{
		{hunk{Old: 10, OldLines: 2, New: 10, NewLines: 5}, [][2]int{{1, 5}, {9, 12}, {20, 30}}, [][2]int{{1, 5}, {9, 9}, {15, 15}, {23, 33}}},
		{hunk{Old: 10, OldLines: 5, New: 10, NewLines: 0}, [][2]int{{1, 20}}, [][2]int{{1, 9}, {10, 15}}},
		{hunk{Old: 5, OldLines: 0, New: 5, NewLines: 2}, [][2]int{{4, 4}, {5, 5}}, [][2]int{{4, 4}, {7, 7}}},
		{hunk{Old: 1, OldLines: 9, New: 1, NewLines: 1}, [][2]int{{2, 8}}, nil},
	} {
		if got := tt.h.move(tt.list); !slices.Equal(got, tt.want) {
			t.Errorf("%v moves %v to %v, want %v", tt.h, tt.list, got, tt.want)
		}
	}
}

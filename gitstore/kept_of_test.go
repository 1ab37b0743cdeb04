package gitstore_test

import (
	"sync/atomic"
	"testing"

	"github.com/git-sage/git-sage/gitstore/storetest"
)

func TestKnowsWhoBegan(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("a"))
	if s.Session.Knows("a") || s.Session.Knows("") {
		t.Error("it knows a session that never began")
	}
	if err := s.Session.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Session.Keep("memo", []byte("{}")); err != nil {
		t.Fatal(err)
	}
	other := open(t, w, "r", session("b"))
	if got := string(other.Session.KeptOf("a", "memo")); got != "{}" || other.Session.KeptOf("b", "memo") != nil || other.Session.KeptOf("", "memo") != nil {
		t.Errorf("kept of a: %q", got)
	}
	if err := other.Session.KeepOf("c", "memo", []byte("[]")); err != nil || string(other.Session.KeptOf("c", "memo")) != "[]" || other.Session.Kept("memo") != nil {
		t.Errorf("kept for c: %v", err)
	}
	if !other.Session.Knows("a") || other.Session.Knows("b") || other.Session.Knows("") {
		t.Error("it does not know who began")
	}
}

func TestAloneIsAlone(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	s := open(t, w, "r", session("a"))
	var inside atomic.Int32
	end := make(chan bool)
	for range 4 {
		go func() {
			done := s.Session.Alone(t.Context())
			alone := inside.Add(1) == 1
			inside.Add(-1)
			done()
			end <- alone
		}()
	}
	for range 4 {
		if !<-end {
			t.Error("two at once")
		}
	}
}

// A task has one who is at it, and the next when they are done.
func TestOnlyOneIsAtATask(t *testing.T) {
	w := storetest.New(t)
	w.Repo("r")
	a, b := open(t, w, "r", session("a")), open(t, w, "r")
	done, ok := a.Session.Only(t.Context(), "x")
	if !ok {
		t.Fatal("nobody may begin")
	}
	if again, ok := b.Session.Only(t.Context(), "x"); ok {
		again()
		t.Error("two are at it")
	}
	if other, ok := b.Session.Only(t.Context(), "y"); !ok {
		t.Error("another task waits")
	} else {
		other()
	}
	done()
	again, ok := b.Session.Only(t.Context(), "x")
	if again(); !ok {
		t.Error("nobody is the next")
	}
}

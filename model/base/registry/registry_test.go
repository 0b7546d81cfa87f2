package registry

import (
	"slices"
	"strings"
	"testing"
)

func TestMembersAreInOrderAndFoundByName(t *testing.T) {
	f := New("words", func(w string) string { return w[1:] }, func(a, b string) int { return strings.Compare(a, b) })
	for _, w := range []string{"2b", "1c", "2a"} {
		f.Add(w)
	}
	if got := f.All(); !slices.Equal(got, []string{"1c", "2a", "2b"}) {
		t.Errorf("the members are %q", got)
	}
	if w, ok := f.Find("b"); w != "2b" || !ok {
		t.Errorf("b is %q, %v", w, ok)
	}
	if w, ok := f.Find("d"); w != "" || ok {
		t.Errorf("d is %q, %v", w, ok)
	}
}

func TestANameIsTakenOnce(t *testing.T) {
	f := New("words", strings.ToLower, strings.Compare)
	f.Add("A")
	defer func() {
		if said := recover(); said != "words: registered twice: a" {
			t.Errorf("a second member of a name panics with %v", said)
		}
		if len(f.All()) != 1 {
			t.Error("the second member is there")
		}
	}()
	f.Add("a")
}

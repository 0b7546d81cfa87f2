package bounded

import (
	"encoding/json"
	"errors"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A text becomes no larger in memory than it may, however small it is when packed.
func TestSmallTextsDoNotBecomeLarge(t *testing.T) {
	type entry struct {
		Name  string
		Held  []struct{ Part string }
		Parts map[string]json.RawMessage
		Rest  [20]int64
	}
	for name, c := range map[string]struct {
		text string
		to   any
		want error
	}{
		"many objects":        {"[" + strings.Repeat("{},", 5_000_000) + "{}]", new([]entry), ErrLarge},
		"objects in objects":  {`{"a":[` + strings.Repeat(`{"Held":[{}]},`, 2_000_000) + "{}]}", new(any), ErrLarge},
		"many arrays":         {"[" + strings.Repeat("[],", 20_000_000) + "[]]", new(any), ErrLarge},
		"numbers for objects": {"[" + strings.Repeat("1,", 4_000_000) + "1]", new([]entry), ErrLarge},
		"numbers for pointers": {`{"A":[` + strings.Repeat("[1],", 900_000) + "[1]]}",
			new(struct{ A [][]*entry }), ErrLarge},
		"deep arrays":            {strings.Repeat("[", 9000) + strings.Repeat("]", 9000), new(any), ErrDeep},
		"deep objects":           {strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000), new(any), ErrDeep},
		"brackets in strings":    {`["` + strings.Repeat(`[{,\"`, 100_000) + `"]`, new([]string), nil},
		"a long list of numbers": {"[" + strings.Repeat("1.25,", 1_000_000) + "2]", new([]float64), nil},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := Unmarshal([]byte(c.text), c.to)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 300 {
			t.Errorf("%s took %d MB", name, mb)
		}
	}
}

// The texts of one file share what they may become.
func TestABudgetIsSpentByAllTextsTogether(t *testing.T) {
	text := []byte("[" + strings.Repeat("{},", Free/objectCost/3) + "{}]")
	var b Budget
	refused := 0
	for range 5 {
		if err := b.Unmarshal(text, new([]struct{})); errors.Is(err, ErrLarge) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if refused != 3 {
		t.Errorf("%d of 5 texts of more than a third were refused, want 3", refused)
	}
}

// Whatever json writes is read as json reads it.
func TestHonestTextsAreReadAsTheyAre(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		value := rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.Float64Range(-1e300, 1e300))).Draw(r, "value")
		text, err := json.Marshal(value)
		if err != nil {
			r.Skip("no JSON")
		}
		var a, b map[string][]float64
		if err := errors.Join(json.Unmarshal(text, &a), Unmarshal(text, &b)); err != nil {
			r.Fatal(err)
		}
		one, _ := json.Marshal(a)
		other, _ := json.Marshal(b)
		if string(one) != string(other) {
			r.Fatalf("%s and %s", one, other)
		}
	})
}

package explain

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"blossom/model/maps/selection"
)

func TestSetsByTheirLikeness(t *testing.T) {
	v := values{ // the spreads over all rows are 7/1.349 and 70/1.349, and none
		{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
		{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140},
		{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
	}
	missing := values{{0, 1, nan, inf}, {5, 7, 6, 6}}
	for _, c := range []struct {
		name   string
		v      values
		one    string
		others []string
		want   string
	}{
		{"in units of the spreads", v, "xxx------------",
			[]string{"------------xxx", "-xxx-----------", "xxx------------"}, "2: 0, 1: 0.1927, 0: 2.313"},
		{"equally far", v, "-------x-------",
			[]string{"------x--------", "--------x------"}, "0: 0.1927, 1: 0.1927"},
		{"empty ones last", v, "x--------------",
			[]string{"---------------", "-x-------------"}, "1: 0.1927, 0: NaN"},
		{"columns with values of both", missing, "x---", []string{"--x-", "---x", "-x--"},
			"0: 2.698, 1: 2.698, 2: 4.266"},
		{"no columns", nil, "x-", []string{"-x"}, "0: NaN"},
		{"none", v, "x--------------", nil, ""},
	} {
		var others []*selection.Set
		for _, o := range c.others {
			others = append(others, setOf(o))
		}
		found, err := Alike(t.Context(), c.v.columns(), setOf(c.one), others)
		var words []string
		for _, l := range found {
			words = append(words, fmt.Sprintf("%d: %.4g", l.Set, l.Distance))
		}
		if got := strings.Join(words, ", "); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, not %s", c.name, got, err, c.want)
		}
	}
	for _, none := range []*selection.Set{nil, selection.None(3)} {
		if found, err := Alike(t.Context(), v.columns(), none, []*selection.Set{none}); err == nil {
			t.Errorf("no rows are like %v", found)
		}
	}
}

func TestLikenessDependsOnNoUnits(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		v, one, other := random(r, 3)
		if one.Empty() {
			continue
		}
		others := []*selection.Set{or(other, one), selection.Invert(one, one.Len()), one}
		want, err := Alike(t.Context(), v.columns(), one, others)
		if err != nil {
			t.Fatal(err)
		}
		for c := range v {
			for row := range v[c] {
				v[c][row] *= float64(int(1) << (3 * c)) // exact
			}
		}
		if got, _ := Alike(t.Context(), v.columns(), one, others); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%v in other units %v", want, got)
		}
	}
}

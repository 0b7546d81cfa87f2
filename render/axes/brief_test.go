package axes

import (
	"slices"
	"strings"
	"testing"
)

// Numbers of an upright axis are written in thousands or millions where one of them has no room, and never otherwise.
func TestNumbersWithoutRoomAreWrittenInThousands(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"0 20,000 40,000 60,000", "0 20k 40k 60k"}, {"−60,000 −7,500 0 60,000", "−60k −7.5k 0 60k"},
		{"500,000 1,000,000 1,500,000", "0.5M 1M 1.5M"}, {"0 500 1,000", "0 500 1,000"},
		{"0 10³ 10⁴ 100,000", "0 10³ 10⁴ 100,000"}, {"0.00001 0.00002", "0.00001 0.00002"}} {
		var ticks []Tick
		for _, text := range strings.Split(c.in, " ") {
			ticks = append(ticks, Tick{Text: text})
		}
		ticks = append(ticks, Tick{}) // a mark alone
		brief(ticks, func(s string) bool { return len([]rune(s)) > 5 })
		var got []string
		for _, x := range ticks[:len(ticks)-1] {
			got = append(got, x.Text)
		}
		if !slices.Equal(got, strings.Split(c.want, " ")) || ticks[len(ticks)-1].Text != "" {
			t.Errorf("%s: %v", c.in, got)
		}
	}
}

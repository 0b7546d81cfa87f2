package table

import "testing"

func TestNumbersHaveThreeDigits(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1000: "1000", 10900: "10900", 1.0949: "1.09", 12.34: "12.3",
		99.96: "100", 9.996: "10.0", 0.5: "0.500", 0.01234: "0.0123", 0.00002345: "2.35e-05", -250.4: "-250"} {
		if got := Number(x); got != want {
			t.Errorf("%g is printed %q, want %q", x, got, want)
		}
	}
	for ns, want := range map[float64]string{1.5e9: "1.50 s", 2e6: "2.00 ms", 30: "0.0300 us"} {
		if got := Length(ns); got != want {
			t.Errorf("%g ns is %q, want %q", ns, got, want)
		}
	}
	for v, want := range map[float64]string{2.5e9: "2.50 G", 1e6: "1.00 M", 1500: "1.5 k", 12: "12"} {
		if got := Rate(v); got != want {
			t.Errorf("%g a second is %q, want %q", v, got, want)
		}
	}
}

func TestSpread(t *testing.T) {
	var r Row
	r.Spread([]float64{1, 2, 3, 4, 100})
	if r.Best != 1 || r.P05 != 1 || r.Median != 3 || r.P95 != 100 || r.Rate != 1e9/3 {
		t.Errorf("%+v", r)
	}
	if r.Times() != "" {
		t.Errorf("it is compared with nothing: %q", r.Times())
	}
	if r.Compare("slow", 6); r.Times() != "2.00x" {
		t.Errorf("%q", r.Times())
	}
}

package driver

import "testing"

type mixed struct {
	x    Ptr
	n    int32
	f    float32
	wide float64
	last uint32
}

var mixedLayout = LayoutOf[mixed]()

func TestLayout(t *testing.T) {
	a := new(Args)
	a.I64(7) // an argument that the launch before left
	want := mixed{1 << 40, -3, 1.5, 2.25, 9}
	mixedLayout.Set(a, want)
	if a.n != 5 {
		t.Fatalf("%d arguments", a.n)
	}
	got := mixed{*(*Ptr)(a.big[0]), *(*int32)(a.big[1]), *(*float32)(a.big[2]), *(*float64)(a.big[3]),
		*(*uint32)(a.big[4])}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if n := testing.AllocsPerRun(100, func() { mixedLayout.Set(a, want) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
	a.Reset()
	a.I32(5)
	if a.n != 1 || a.big[0] != nil || int32(a.values[0]) != 5 {
		t.Error("arguments one by one after a structure")
	}
}

func TestLayoutRefuses(t *testing.T) {
	for what, of := range map[string]func(){
		"a slice":       func() { LayoutOf[struct{ v []int }]() },
		"a Go pointer":  func() { LayoutOf[struct{ v *int }]() },
		"a small one":   func() { LayoutOf[struct{ v int16 }]() },
		"one too large": func() { LayoutOf[struct{ v [maxArgs + 1]int64 }]() },
		"a number":      func() { LayoutOf[int32]() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s can be a parameter", what)
				}
			}()
			of()
		}()
	}
}

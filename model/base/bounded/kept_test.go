package bounded

import "testing"

// Kept tells by its place what a reader would have taken for something else.
func TestWhatIsNotKeptIsTold(t *testing.T) {
	for _, c := range []struct{ given, kept, want string }{
		{`{"a":1,"b":{"c":[1,"x"]}}`, `{"a":1,"b":{"c":[1,"x"]},"more":3}`, ""},
		{`{"a":0,"b":"","c":[],"d":{},"e":false}`, `{}`, ""},
		{`{"a":null}`, `{"a":null}`, ""},
		{`{"a":0.1}`, `{"a":0.10000000149011612}`, ""},
		{`{"a":-5}`, `{"a":0}`, "a: -5 is not possible"},
		{`{"a":-5}`, `{}`, "a: -5 is not possible"},
		{`{"Seed":7}`, `{"seed":7}`, "Seed: 7 is not possible"},
		{`{"seed":null}`, `{"seed":0}`, "seed: null is no value"},
		{`{"b":{"use":"cosin"}}`, `{"b":{"use":"off"}}`, `b.use: "cosin" is not possible`},
		{`{"l":[1,2,3]}`, `{"l":[1,2]}`, "l: 2 of 3 entries make sense"},
		{`{"l":[{"a":true}]}`, `{"l":[{"a":false}]}`, "l[1].a: true is not possible"},
		{`{"l":{"a":1}}`, `{"l":3}`, "l: it makes no sense"},
	} {
		if got := Kept([]byte(c.given), []byte(c.kept)); got != c.want {
			t.Errorf("%s as %s: %q, not %q", c.given, c.kept, got, c.want)
		}
	}
}

// A name that is in one object twice is found at any depth; in two objects it may be.
func TestANameThatIsThereTwiceIsFound(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":2,"c":["a","a",{"a":1}]}}`: "",
		`{"a":1,"a":2}`:                    "a",
		`{"l":[{"x":[1,{}],"y":2,"x":3}]}`: "x",
		`{"a":{"b":{}, "b":[]}}`:           "b",
		`{"a":`:                            "",
	} {
		if got := Twice([]byte(text)); got != want {
			t.Errorf("%s: %q, not %q", text, got, want)
		}
	}
}

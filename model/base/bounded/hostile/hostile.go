// Package hostile makes JSON that is hostile by its structure of JSON that is not, for tests: one value of it becomes
// deep, many, huge, or another kind of thing. It measures what reading that takes.
package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// Bytes is how long a hostile text gets beyond the one that it is made of.
const Bytes = 16 << 20

// node is a value of JSON: raw of a scalar, what it holds of others, with names in an object.
type node struct {
	raw   string
	open  byte // '{', '[' or 0
	names []string
	kids  []*node
}

// Text is JSON that can be made hostile.
type Text struct {
	root  *node
	nodes []*node
}

// Parse reads JSON. It panics if that is none: it is a program's own.
func Parse(text []byte) *Text {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	t := &Text{}
	t.root = t.parse(d)
	return t
}

func (t *Text) parse(d *json.Decoder) *node {
	token, err := d.Token()
	if err != nil {
		panic(err)
	}
	n := &node{}
	t.nodes = append(t.nodes, n)
	open, ok := token.(json.Delim)
	if !ok {
		raw, _ := json.Marshal(token)
		n.raw = string(raw)
		return n
	}
	n.open = byte(open)
	for d.More() {
		if n.open == '{' {
			name, _ := d.Token()
			raw, _ := json.Marshal(name)
			n.names = append(n.names, string(raw))
		}
		n.kids = append(n.kids, t.parse(d))
	}
	_, _ = d.Token()
	return n
}

func (n *node) write(b *bytes.Buffer, at *node, as string) {
	switch {
	case n == at:
		b.WriteString(as)
		return
	case n.open == 0:
		b.WriteString(n.raw)
		return
	}
	b.WriteByte(n.open)
	for i, k := range n.kids {
		if i > 0 {
			b.WriteByte(',')
		}
		if n.names != nil {
			b.WriteString(n.names[i] + ":")
		}
		k.write(b, at, as)
	}
	b.WriteByte(n.open + 2)
}

func (n *node) text() string {
	var b bytes.Buffer
	n.write(&b, nil, "")
	return b.String()
}

// ways are how a value becomes hostile.
var ways = []struct {
	name string
	of   func(n *node) string
}{
	{"null", as("null")}, {"true", as("true")}, {"nothing", as(`""`)}, {"no entries", as("[]")},
	{"no fields", as("{}")},
	{"1e308", as("1e308")}, {"-1e308", as("-1e308")}, {"1e400", as("1e400")}, {"1e-400", as("1e-400")},
	{"-0", as("-0")}, {"-1", as("-1")}, {"a half", as("0.5")}, {"2^53", as("9007199254740993")},
	{"-2^63", as("-9223372036854775808")}, {"2^64", as("18446744073709551616")}, {"many digits",
		as("1" + strings.Repeat("0", 1<<20))},
	{"a megabyte", as(`"` + strings.Repeat("a", 1<<20) + `"`)},
	{"a megabyte of NUL", as(`"` + strings.Repeat(`\u0000`, 1<<18) + `"`)},
	{"halves of letters", as(`"` + strings.Repeat(`\ud83d`, 1<<16) + `"`)},
	{"deep lists", deep("[", "]", 100)}, {"deeper lists", deep("[", "]", 1_000_000)},
	{"deep objects", deep(`{"a":`, "}", 190)}, {"deeper objects", deep(`{"a":`, "}", 500_000)},
	{"a list of it", many("[", "", "]", 1_000_000)}, {"a shorter list of it", many("[", "", "]", 100_000)},
	{"a million entries", entries(1_000_000)}, {"half a million entries", entries(500_000)},
	{"many entries", entries(50_000)}, {"two entries", entries(2)},
	{"a million numbers", as("[" + strings.Repeat("1,", 999_999) + "1]")},
	{"eight million numbers", as("[" + strings.Repeat("1,", Bytes/2-1) + "1]")},
	{"a million empty lists", as("[" + strings.Repeat("[],", 999_999) + "[]]")},
	{"half a million objects", as("[" + strings.Repeat("{},", 499_999) + "{}]")},
	{"a million names", names(1_000_000)}, {"many names", names(30_000)},
}

func as(text string) func(*node) string { return func(*node) string { return text } }

func deep(open, end string, times int) func(*node) string {
	return func(n *node) string { return strings.Repeat(open, times) + n.text() + strings.Repeat(end, times) }
}

// many repeats the value itself as often as there is room.
func many(open, name, end string, times int) func(*node) string {
	return func(n *node) string {
		one := name + n.text()
		return open + strings.Repeat(one+",", min(times, Bytes/(len(one)+1))) + one + end
	}
}

// entries repeats the first entry of a list or an object, and others are a list of themselves.
func entries(times int) func(*node) string {
	return func(n *node) string {
		switch {
		case n.open == '[' && len(n.kids) > 0:
			return many("[", "", "]", times)(n.kids[0])
		case n.open == '{' && len(n.kids) > 0:
			return many("{", n.names[0]+":", "}", times)(n.kids[0])
		}
		return many("[", "", "]", times)(n)
	}
}

// names gives an object the same value under many names.
func names(times int) func(*node) string {
	return func(n *node) string {
		one := "1"
		if n.open == '{' && len(n.kids) > 0 {
			one = n.kids[0].text()
		}
		var b strings.Builder
		b.WriteString("{")
		for i := 0; i < times && b.Len() < Bytes; i++ {
			fmt.Fprintf(&b, "%q:%s,", strconv.Itoa(i), one)
		}
		return b.String() + `"":1}`
	}
}

// Number is how many hostile texts a test takes of each of its subjects: BLOSSOM_MANY, or as many as usual.
func Number(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("BLOSSOM_MANY")); err == nil && n > 0 {
		return n
	}
	return usual
}

// Case is a hostile text.
type Case struct {
	Name string
	Text []byte
}

// Case is the text with one value, which r draws, made hostile in one way. Ways take turns by their number.
func (t *Text) Case(number int, r *rand.Rand) Case {
	w, at := ways[number%len(ways)], t.nodes[r.IntN(len(t.nodes))]
	var b bytes.Buffer
	t.root.write(&b, at, w.of(at))
	was := at.text()
	if len(was) > 60 {
		was = was[:60] + "..."
	}
	return Case{w.name + " in place of " + was, b.Bytes()}
}

// Held is how many bytes of the heap do holds at most, looked at all the while, with what nobody holds any more soon
// taken away.
func Held(do func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	runtime.GC()
	const objects = "/memory/classes/heap/objects:bytes"
	look := func() int64 {
		now := []metrics.Sample{{Name: objects}}
		metrics.Read(now)
		return int64(now[0].Value.Uint64())
	}
	before, most := look(), int64(0)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			most = max(most, look())
			select {
			case <-stop:
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
	}()
	do()
	close(stop)
	<-done
	return most - before
}

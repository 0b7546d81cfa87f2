package inflate

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/model/base/bounded/fuzzing"
)

// contents are bytes of many kinds: all literals, all lengths, near and far, skewed so that codes grow long.
func contents(r *rand.Rand, n int) map[string][]byte {
	out := map[string][]byte{"nothing": {}, "one": {7}, "zeros": make([]byte, n)}
	add := func(name string, next func(i int, b []byte) byte) {
		b := make([]byte, n)
		for i := range b {
			b[i] = next(i, b)
		}
		out[name] = b
	}
	add("noise", func(int, []byte) byte { return byte(r.Uint32()) })
	add("skewed", func(int, []byte) byte { return byte(math.Exp(math.Abs(r.NormFloat64()))) })
	add("rare", func(int, []byte) byte { return byte(-math.Log2(r.Float64()+1e-9) * 1.3) })
	add("runs", func(i int, b []byte) byte {
		if i > 0 && r.IntN(40) > 0 {
			return b[i-1]
		}
		return byte(r.Uint32())
	})
	period := 1 + r.IntN(20)
	add("periods", func(i int, b []byte) byte {
		if i >= period && r.IntN(300) > 0 {
			return b[i-period]
		}
		return byte(r.Uint32())
	})
	add("far", func(i int, b []byte) byte {
		if i >= 32768 && r.IntN(50) > 0 {
			return b[i-32768+i%7]
		}
		return byte(r.Uint32())
	})
	floats := make([]byte, 0, n+4)
	for len(floats) < n {
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(float32(r.NormFloat64()*1000)))
	}
	out["floats"] = floats[:n]
	return out
}

func packed(t testing.TB, b []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zlib.NewWriterLevel(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Bytes packed in any way become what they were, with one unpacker for all.
func TestPackedBytesBecomeWhatTheyWere(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var u Unpacker
	for range 2 {
		for name, want := range contents(r, r.IntN(100_000)) {
			for _, level := range []int{zlib.NoCompression, zlib.BestSpeed, zlib.DefaultCompression,
				zlib.BestCompression, zlib.HuffmanOnly} {
				got := make([]byte, len(want))
				if err := u.Zlib(got, packed(t, want, level)); err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%d bytes of %s, level %d: %v", len(want), name, level, err)
				}
			}
		}
	}
}

// Many bytes of long codes in a row, then a length: what is looked up has all its bits.
func TestLongCodesInARow(t *testing.T) {
	var u Unpacker
	for seed := range uint64(60) {
		want := contents(rand.New(rand.NewPCG(12585980815754723421+seed*6, 1)), 76_000)["runs"]
		got := make([]byte, len(want))
		if err := u.Zlib(got, packed(t, want, zlib.HuffmanOnly)); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// A length that is not that of the content, a changed byte and an end too early are errors and never a panic.
func TestWhatDoesNotFitIsAnError(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var u Unpacker
	for name, want := range contents(r, 3000) {
		for _, level := range []int{zlib.NoCompression, zlib.BestCompression, zlib.HuffmanOnly} {
			b := packed(t, want, level)
			if err := u.Zlib(make([]byte, len(want)+1), b); err != ErrShort {
				t.Errorf("%s, level %d, into one more: %v", name, level, err)
			}
			if len(want) > 0 {
				if err := u.Zlib(make([]byte, len(want)-1), b); err != ErrLength {
					t.Errorf("%s, level %d, into one less: %v", name, level, err)
				}
			}
			for n := range len(b) {
				if err := u.Zlib(make([]byte, len(want)), b[:n]); err == nil {
					t.Fatalf("%s, level %d: cut after %d of %d", name, level, n, len(b))
				}
			}
			b[len(b)-1]++
			if err := u.Zlib(make([]byte, len(want)), b); err != ErrChecksum {
				t.Errorf("%s, level %d, another checksum: %v", name, level, err)
			}
		}
	}
}

// as the standard library unpacks it.
func standard(b []byte, most int) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, int64(most)))
}

// agrees unpacks any bytes in both ways, and once more with the checksum mended, which nearly all damages would end at.
func agrees(t testing.TB, b []byte) string {
	const most = 1 << 20
	says := ""
	var u Unpacker
	for range 2 {
		want, theirs := standard(b, most)
		if len(want) == most {
			return "much"
		}
		got := make([]byte, len(want))
		ours := u.Zlib(got, b)
		if (ours == nil) != (theirs == nil) || ours == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, %v, the standard library says %v", len(want), ours, theirs)
		}
		if says += fmt.Sprint(ours, theirs); ours != ErrChecksum || len(b) < 4 {
			break
		}
		b = binary.BigEndian.AppendUint32(bytes.Clone(b[:u.in]), adler32.Checksum(got))
	}
	return says
}

// Damaged bytes are refused where the standard library refuses them.
func FuzzZlib(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	var sound [][]byte
	for _, b := range contents(r, 700) {
		for _, level := range []int{zlib.NoCompression, zlib.BestCompression, zlib.HuffmanOnly} {
			sound = append(sound, packed(f, b, level))
		}
	}
	fuzzing.Target(f, sound, 5_000, agrees)
}

func BenchmarkZlib(b *testing.B) {
	for name, content := range contents(rand.New(rand.NewPCG(1, 2)), 62_500) {
		if len(content) < 2 {
			continue
		}
		in, out := packed(b, content, 4), make([]byte, len(content))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			var u Unpacker
			for b.Loop() {
				if err := u.Zlib(out, in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

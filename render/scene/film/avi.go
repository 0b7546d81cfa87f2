package film

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/jpeg"
	"io"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/format"
)

// The format is RIFF AVI as Microsoft's "AVI RIFF File Reference" has it: LIST hdrl with avih and one stream, LIST movi
// with a chunk 00dc of JPEG for each frame, idx1 with their places from the word movi on.
func init() {
	register(Format{Extension: ".avi", Title: "AVI (motion JPEG)", New: newAVI})
}

// mostAVI is how many bytes the frames of a film may take: places in it are numbers of 32 bits, which many players take
// for signed ones. Tests lower it.
var mostAVI int64 = 1<<31 - 1<<24

// quality is that of each JPEG, of 100.
const quality = 93

// avi writes motion JPEG. Its header says how large the rest is, so that frames are kept in a file of their own until
// the end.
type avi struct {
	ctx     context.Context
	w       io.Writer
	o       Options
	frames  *format.Scratch
	sizes   []int
	written int64
}

func newAVI(ctx context.Context, w io.Writer, o Options) (Writer, error) {
	frames, err := format.NewScratch(o.Path)
	if err != nil {
		return nil, err
	}
	return &avi{ctx: ctx, w: w, o: o, frames: frames}, nil
}

// Frame adds a frame.
func (a *avi) Frame(img *image.RGBA) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: quality}); err != nil {
		return err
	}
	b := riff("00dc", file.Bytes())
	if a.written += int64(len(b)) + 16; a.written > mostAVI {
		return problem.New(a.o.Path, "choose fewer or smaller frames, or another kind of file: "+
			problem.OneOf(slices.DeleteFunc(Extensions(), func(e string) bool { return e == ".avi" })...),
			"the film would be larger than an AVI can be, %d MB: %d of %d frames fill it", mostAVI>>20, len(a.sizes),
			a.o.Frames)
	}
	a.sizes = append(a.sizes, file.Len())
	return a.frames.Write(b)
}

// End writes the file.
func (a *avi) End() error {
	pixels, most, movi := a.o.Width*a.o.Height, slices.Max(append([]int{0}, a.sizes...)), 4
	var index []byte
	for _, n := range a.sizes {
		index = append(index, "00dc"...)
		index = words(index, 0x10, movi, n) // a key frame
		movi += 8 + n + n%2
	}
	main := words(nil, 1_000_000/a.o.Rate, most*a.o.Rate, 0, 0x10, len(a.sizes), 0, 1, most, a.o.Width, a.o.Height,
		0, 0, 0, 0)
	stream := words([]byte("vidsMJPG"), 0, 0, 0, 1, a.o.Rate, 0, len(a.sizes), most, -1, 0)
	stream = binary.LittleEndian.AppendUint32(append(stream, 0, 0, 0, 0), uint32(a.o.Width)|uint32(a.o.Height)<<16)
	bitmap := words(nil, 40, a.o.Width, a.o.Height, 24<<16|1)
	bitmap = words(append(bitmap, "MJPG"...), 3*pixels, 0, 0, 0, 0)
	head := list("hdrl", riff("avih", main), list("strl", riff("strh", stream), riff("strf", bitmap)))
	var info [][]byte
	for _, t := range a.o.Text {
		if id, known := infos[t[0]]; known {
			info = append(info, riff(id, append([]byte(t[1]), 0)))
		}
	}
	if len(info) > 0 {
		head = append(head, list("INFO", info...)...)
	}
	idx := riff("idx1", index)
	out := words([]byte("RIFF"), 4+len(head)+8+movi+len(idx))
	out = append(append(append(out, "AVI "...), head...), "LIST"...)
	out = append(words(out, movi), "movi"...)
	if _, err := a.w.Write(out); err != nil {
		return err
	}
	if err := a.frames.CopyTo(a.ctx, a.w); err != nil {
		return err
	}
	_, err := a.w.Write(idx)
	return err
}

// infos are the chunks of INFO that texts of pictures become.
var infos = map[string]string{"Software": "ISFT", "Source": "ISRC", "Comment": "ICMT", "Title": "INAM",
	"Disclaimer": "ISBJ", "Recipe": "IKEY"}

// Close removes the frames.
func (a *avi) Close() { a.frames.Close() }

// riff is a chunk, which has an even number of bytes.
func riff(kind string, data []byte) []byte {
	out := append(words([]byte(kind), len(data)), data...)
	if len(data)%2 != 0 {
		out = append(out, 0)
	}
	return out
}

// list is a chunk of chunks.
func list(kind string, chunks ...[]byte) []byte {
	return riff("LIST", append([]byte(kind), bytes.Join(chunks, nil)...))
}

// words appends numbers of 32 bits.
func words(b []byte, x ...int) []byte {
	for _, n := range x {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

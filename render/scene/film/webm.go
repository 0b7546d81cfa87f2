package film

import (
	"context"
	"io"
)

func init() {
	register(Format{Extension: ".webm", Title: "WebM (VP9)", Even: true, Missing: noFFmpeg,
		New: func(ctx context.Context, w io.Writer, o Options) (Writer, error) {
			return withFFmpeg(ctx, w, o, "-c:v", "libvpx-vp9", "-crf", "20", "-b:v", "0", "-deadline", "good",
				"-cpu-used", "4", "-row-mt", "1", "-f", "webm")
		}})
}

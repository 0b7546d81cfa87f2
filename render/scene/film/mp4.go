package film

import (
	"context"
	"io"
)

func init() {
	register(Format{Extension: ".mp4", Title: "MP4 (H.264)", Even: true, Missing: noFFmpeg,
		New: func(ctx context.Context, w io.Writer, o Options) (Writer, error) {
			return withFFmpeg(ctx, w, o, "-c:v", "libx264", "-preset", "medium", "-crf", "16", "-movflags",
				"+faststart", "-f", "mp4")
		}})
}

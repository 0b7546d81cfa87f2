package scale

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path/filepath"

	"blossom/model/data/format"
)

// mergedFile is where kinds whose parts add up to one file write that.
func (p *Plan) mergedFile() string { return filepath.Join(p.folder, "merged"+p.Output) }

// writeMerged writes it, and notes it in the manifest.
func (p *Plan) writeMerged(m *Manifest, write func(io.Writer) error) error {
	h := sha256.New()
	err := format.AtomicWrite(p.mergedFile(), func(w io.Writer) error { return write(io.MultiWriter(w, h)) })
	m.Merged = hex.EncodeToString(h.Sum(nil))
	return err
}

// hasMerged is the Merged of these kinds: the file is there, as the manifest says.
func hasMerged(ctx context.Context, p *Plan) bool { return mergedInto(ctx, p, p.mergedFile()) }

// mergedInto says whether the file that the parts were merged into is there, as the manifest says.
func mergedInto(ctx context.Context, p *Plan, path string) bool {
	m, err := ReadManifest(p.folder)
	if err != nil || m.Plan != p.sum || m.Merged == "" {
		return false
	}
	sum, _, err := p.sums.hash(ctx, path)
	return err == nil && sum == m.Merged
}

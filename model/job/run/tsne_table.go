package run

import (
	"context"

	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"blossom/model/work/engine"
)

// Table is what is written: coordinates with the columns tsne1, tsne2 and so on, or forces.
func (m *TSNEMap) Table(ctx context.Context) (ds *dataset.Dataset, err error) {
	if m.Forces != nil {
		ds, err = export.Coordinates(ctx, "", m.Forces, 2*m.Dims, nil)
		if err == nil {
			for j := range ds.Columns {
				ds.Columns[j].Name = export.CoordinateName([]string{"attraction", "repulsion"}[j/m.Dims], j%m.Dims)
			}
		}
	} else {
		ds, err = export.Coordinates(ctx, "tsne", m.Pos, m.Dims, nil)
	}
	if err == nil {
		ds.Metadata = map[string]string{export.EngineKey: engine.FullName(m.Engine, m.Variant)}
	}
	return ds, err
}

package panel

import "blossom/model/data/dataset"

// explainable says whether a column tells what points are, rather than when or where.
func explainable(c *dataset.Column) bool {
	switch c.Role {
	case dataset.Marker, dataset.Scatter, dataset.Viability, dataset.Unlabelled, dataset.Quality,
		dataset.Measure:
		return c.Categories == nil
	}
	return false
}

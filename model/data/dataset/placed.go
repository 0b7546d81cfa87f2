package dataset

import (
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/pattern"
)

// Places are the coordinates of a map that a table brings of its points.
type Places struct {
	Name    string // "umap", where the columns are umap1 and umap2
	Columns []int  // 2 or 3, in the order of the axes
}

var (
	// axisName parts "UMAP_1", "X_umap-2", "tSNE dim 1", "umap.x" into the map and the axis.
	axisName = pattern.Of(`(?i)^(.*?)[ _.-]*(?:(?:dim|component|axis)[ _.-]*)?([0-9]{1,2}|[xyz])$`)
	// again is what tells columns of one name from each other.
	again = pattern.Of(` \([0-9]+\)$`)
)

// Maps are the maps of the points that are in the table, in the order of its columns: coordinates whose names are that
// of a map and the number or letter of an axis.
func (ds *Dataset) Maps() (maps []Places) {
	axes := map[string]map[int]int{} // column of each axis
	var names []string
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Role != Placed || c.Categories != nil {
			continue
		}
		more := again().FindString(c.Name)
		m := axisName().FindStringSubmatch(strings.TrimSpace(strings.TrimSuffix(c.Name, more)))
		if m == nil || m[1] == "" {
			continue
		}
		name, axis := MapName(m[1])+more, strings.IndexAny("xyz", strings.ToLower(m[2]))
		if axis < 0 {
			axis, _ = strconv.Atoi(m[2])
		}
		if axes[name] == nil {
			axes[name], names = map[int]int{}, append(names, name)
		}
		axes[name][axis] = i
	}
	for _, name := range names {
		var at []int
		for axis := range axes[name] {
			at = append(at, axis)
		}
		slices.Sort(at)
		if n := len(at); n < 2 || n > 3 || at[0] > 1 || at[n-1]-at[0] != n-1 {
			continue
		}
		p := Places{Name: name}
		for _, axis := range at {
			p.Columns = append(p.Columns, axes[name][axis])
		}
		maps = append(maps, p)
	}
	return maps
}

// MapName is the name of a map without what AnnData begins it with: "X_umap" is "umap".
func MapName(name string) string {
	if cut, ok := strings.CutPrefix(name, "X_"); ok && cut != "" {
		return cut
	}
	return name
}

// MapNamed finds the map of a name, with or without the "X_" before it, and whatever its capitals.
func (ds *Dataset) MapNamed(name string) (Places, bool) {
	maps := ds.Maps()
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, p := range maps {
			if same(p.Name, name) || same(p.Name, MapName(name)) || same("X_"+p.Name, name) {
				return p, true
			}
		}
	}
	return Places{}, false
}

package dataset

// ValuesKey is the keyword of a file that says which values its columns are, where they are not raw, and
// ValuesTransformed what it says where somebody chose transforms that their names do not tell.
const (
	ValuesKey         = "BLOSSOM_VALUES"
	ValuesTransformed = "transformed"
)

// Transformed says whether the values of its columns are transformed already, as the file says.
func (d *Dataset) Transformed() bool {
	said := d.Metadata[ValuesKey]
	return said == ValuesTransformed || said == "map"
}

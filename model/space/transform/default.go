package transform

import (
	"math"
	"strings"

	"blossom/model/base/pattern"
	"blossom/model/data/dataset"
)

// Cofactors of asinh that the field uses: about where noise ends.
const (
	FluorescenceCofactor = 150
	MassCofactor         = 5
)

// Default returns the settings that a newly opened table starts with.
//
// Markers are dimensions of the map, ignored columns are off, all others can be coloured by. Markers
// of cytometry data (an FCS file, or any table with scatter channels) get asinh: with cofactor 5
// where the instrument or the channels' names say mass cytometry, else 150. Two exceptions: channels
// of a logarithmic amplifier ($PnE), whose raw values are logarithms already, are brought to natural
// logarithms, which is the scale that asinh has far from 0, unless compensation makes linear values of them, which get
// logicle; and a table whose markers all lie within
// +-30, which somebody has transformed before, stays as it is, and one whose file says so. So do tables of other kinds.
// Columns far from 0 whose values float32 would run together (dataset.Far) are moved to 0, as points of the map are
// float32. What the table asks of matrix ops comes first: values of a cytometer are compensated with the matrix that
// its file brings. Columns of other tables are scaled to unit deviation, outliers aside, where few of them would make
// the map alone (WantsScale).
func Default(ds *dataset.Dataset) Spec {
	s := Spec{Columns: make([]Column, len(ds.Columns))}
	cytometry := ds.Cells
	linear := false // values are in the instrument's linear units
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Role == dataset.Scatter {
			cytometry = true
		}
		if c.Role == dataset.Marker && (c.Stats.Max > 30 || c.Stats.Min < -30) {
			linear = true
		}
	}
	linear = linear && !ds.Transformed()
	cofactor := float64(FluorescenceCofactor)
	if massCytometry(ds) {
		cofactor = MassCofactor
	}
	for i := range ds.Columns {
		c := Column{Weight: 1, Use: ColourOnly}
		switch ds.Columns[i].Role {
		case dataset.Marker, dataset.Viability, dataset.Unlabelled, dataset.Placed, dataset.Quality,
			dataset.Measure:
			if c.Use = InMap; ds.Columns[i].Aside || ds.Columns[i].Role != dataset.Marker {
				c.Use = ColourOnly
			}
			switch log := ds.Columns[i].Log; {
			case !cytometry || !linear || ds.Columns[i].Role == dataset.Placed || ds.Columns[i].Role == dataset.Measure:
			case log != nil && log.Range > 0 && log.Decades > 0:
				c = c.WithTransform(logarithms(&ds.Columns[i]))
			default:
				c = c.With(Asinh, Params{cofactor})
			}
		case dataset.Ignored:
			c.Use = Off
		}
		if c.Op == None {
			c = c.WithTransform(ToZero(&ds.Columns[i]))
		}
		s.Columns[i] = c
	}
	var mixes []Mix
	for _, m := range Suggestions(ds) {
		if m.On {
			mixes = append(mixes, m.Mix)
		}
	}
	s = s.with(ds, mixes)
	_, s.Scale = WantsScale(ds, s, s.MapColumns())
	s.Robust = s.Scale
	return s
}

// ToZero returns the transform that moves to 0 a column whose values float32, as which points of the map are, would
// run together; that of other columns is None.
func ToZero(c *dataset.Column) Column {
	if !c.FarAway() {
		return Column{}
	}
	return Column{}.With(Linear, Params{1, -roundMean(c.Stats)})
}

// roundMean is the mean with as many digits as the deviation gives a meaning.
func roundMean(s dataset.Stats) float64 {
	if s.SD == 0 {
		return s.Mean
	}
	unit := math.Pow(10, math.Floor(math.Log10(s.SD)))
	return math.Round(s.Mean/unit) * unit
}

// An isotope of a metal tag: Nd143Di, 143Nd_CD4, (Yb176)Dd.
var isotope = pattern.Of(
	`(^|[^A-Za-z])([A-Z][a-z]1[0-9]{2}D[id]|[A-Z][a-z]?[0-9]{2,3}Di|1[0-9]{2}[A-Z][a-z])([^a-z]|$)`)

// massCytometry says whether the table comes from a mass cytometer.
func massCytometry(ds *dataset.Dataset) bool {
	for key, value := range ds.Metadata {
		if !strings.EqualFold(key, "$CYT") {
			continue
		}
		v := strings.ToLower(value)
		for _, maker := range []string{"cytof", "helios", "dvs", "fluidigm", "hyperion"} {
			if strings.Contains(v, maker) {
				return true
			}
		}
	}
	markers, tagged := 0, 0
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Role == dataset.Marker || c.Role == dataset.Unlabelled {
			markers++
			if isotope().MatchString(c.Name) || isotope().MatchString(c.Label) {
				tagged++
			}
		}
	}
	return tagged > 0 && 2*tagged >= markers
}

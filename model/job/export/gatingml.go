package export

import "encoding/xml"

// A file of Gating-ML 2.0 is made of these, as far as populations need it.
type gatingML struct {
	XMLName    xml.Name   `xml:"gating:Gating-ML"`
	Gating     string     `xml:"xmlns:gating,attr"`
	Transforms string     `xml:"xmlns:transforms,attr"`
	Types      string     `xml:"xmlns:data-type,attr"`
	Matrices   []mlMatrix `xml:"transforms:spectrumMatrix"`
	Scales     []mlScale  `xml:"transforms:transformation"`
	Gates      []*mlGate
}

type mlGate struct {
	XMLName    xml.Name
	ID         string        `xml:"gating:id,attr"`
	Parent     string        `xml:"gating:parent_id,attr,omitempty"`
	Info       *gateInfo     `xml:"data-type:custom_info"`
	Dimensions []mlDimension `xml:"gating:dimension"`
	Vertices   []mlVertex    `xml:"gating:vertex"`
	Mean       *mlVertex     `xml:"gating:mean"`
	Covariance *mlRows       `xml:"gating:covarianceMatrix"`
	Distance   *mlValue      `xml:"gating:distanceSquare"`
	And        *mlRefs       `xml:"gating:and"`
	Or         *mlRefs       `xml:"gating:or"`
	Not        *mlRefs       `xml:"gating:not"`
}

// gateInfo is the name of the population, or says that a gate is but a part of others.
type gateInfo struct {
	Name string    `xml:"name,omitempty"`
	Part *struct{} `xml:"part"`
}

type mlDimension struct {
	Compensation string    `xml:"gating:compensation-ref,attr"`
	Scale        string    `xml:"gating:transformation-ref,attr,omitempty"`
	Min          string    `xml:"gating:min,attr,omitempty"`
	Max          string    `xml:"gating:max,attr,omitempty"`
	Column       *mlColumn `xml:"data-type:fcs-dimension"`
	New          *mlNew    `xml:"data-type:new-dimension"`
}

// mlNew is a dimension that is made of others.
type mlNew struct {
	Of string `xml:"data-type:transformation-ref,attr"`
}

type mlRows struct {
	Rows []mlRow `xml:"gating:row"`
}

type mlRow struct {
	Entries []mlValue `xml:"gating:entry"`
}

type mlColumn struct {
	Name string `xml:"data-type:name,attr"`
}

type mlVertex struct {
	At []mlValue `xml:"gating:coordinate"`
}

type mlValue struct {
	Value float64 `xml:"data-type:value,attr"`
}

type mlRefs struct {
	Gates []mlRef `xml:"gating:gateReference"`
}

type mlRef struct {
	ID  string `xml:"gating:ref,attr"`
	Not bool   `xml:"gating:use-as-complement,attr,omitempty"`
}

type mlScale struct {
	ID string `xml:"transforms:id,attr"`
	Of mlFunction
}

// mlFunction is called after what it is, with its parameters as attributes.
type mlFunction struct {
	XMLName xml.Name
	Numbers []xml.Attr `xml:",any,attr"`
	Columns []mlColumn `xml:"data-type:fcs-dimension"` // the two of a ratio
}

type mlMatrix struct {
	ID            string       `xml:"transforms:id,attr"`
	Inverted      bool         `xml:"transforms:matrix-inverted-already,attr,omitempty"`
	Fluorochromes []mlColumn   `xml:"transforms:fluorochromes>data-type:fcs-dimension"`
	Detectors     []mlColumn   `xml:"transforms:detectors>data-type:fcs-dimension"`
	Spectra       []mlSpectrum `xml:"transforms:spectrum"`
}

type mlSpectrum struct {
	Coefficients []mlCoefficient `xml:"transforms:coefficient"`
}

type mlCoefficient struct {
	Value float64 `xml:"transforms:value,attr"`
}

package demo

// The blood sample: a panel of 30 markers and a tree of cell populations. Levels are on a scale where
// one step is about nine times brighter: 0 is not expressed, 1 dim, 2 clear, 3 bright.

// panel lists the detectors ($PnN) with the marker that each measures ($PnS).
var panel = [30][2]string{
	{"BUV395-A", "CD45"}, {"BUV496-A", "CD3"}, {"BUV563-A", "CD4"}, {"BUV615-A", "CD8"}, {"BUV661-A", "CD19"},
	{"BUV737-A", "CD20"}, {"BUV805-A", "CD45RA"}, {"BV421-A", "CCR7"}, {"BV480-A", "CD27"}, {"BV510-A", "CD28"},
	{"BV570-A", "CD127"}, {"BV605-A", "CD25"}, {"BV650-A", "FoxP3"}, {"BV711-A", "CD161"}, {"BV750-A", "TCRgd"},
	{"BV786-A", "CD56"}, {"BB515-A", "CD16"}, {"BB700-A", "CD57"}, {"FITC-A", "CD14"}, {"PerCP-A", "HLA-DR"},
	{"PE-A", "CD11c"}, {"PE-CF594-A", "CD123"}, {"PE-Cy5-A", "CD38"}, {"PE-Cy7-A", "CD24"}, {"APC-A", "IgD"},
	{"AF647-A", "IgM"}, {"APC-R700-A", "CD1c"}, {"AF700-A", "CD66b"}, {"APC-Cy7-A", "CD141"}, {"BV850-A", "CD34"},
}

// population is one node of the tree. A node with a share of 0 only hands its levels on.
type population struct {
	name, parent string
	percent      float64
	// from is the population that this one develops from: trail of its cells are on the way, which
	// makes the branches of the map.
	from   string
	trail  float64
	levels string  // "CD3:3 CD4:3", added to what the parent has
	fsc    float64 // mean forward scatter, 0: as the parent
	ssc    float64 // mean side scatter, 0: as the parent
}

var tree = []population{
	{name: "leukocyte", levels: "CD45:3", fsc: 62e3, ssc: 18e3},

	{name: "T cell", parent: "leukocyte", levels: "CD3:3 CD45RA:0.3"},
	{name: "CD4 T", parent: "T cell", levels: "CD4:3 CD28:2.2 CD127:2"},
	{name: "CD4 naive", parent: "CD4 T", percent: 11, levels: "CD45RA:2.8 CCR7:2.2 CD27:2.4"},
	{name: "CD4 central memory", parent: "CD4 T", percent: 7, from: "CD4 naive", trail: 0.2,
		levels: "CCR7:2 CD27:2.3 CD28:2.5"},
	{name: "CD4 effector memory", parent: "CD4 T", percent: 5, from: "CD4 central memory", trail: 0.2,
		levels: "CCR7:0 CD27:0.8 CD127:1.2"},
	{name: "CD4 regulatory", parent: "CD4 T", percent: 1.8, from: "CD4 naive", trail: 0.1,
		levels: "CD25:2.6 FoxP3:2.2 CD127:0.3 CD45RA:0.6 CD27:2"},
	{name: "CD4 CD161+ memory", parent: "CD4 T", percent: 1.6, from: "CD4 central memory", trail: 0.1,
		levels: "CD161:2.3 CCR7:0.6 CD27:1.6"},
	{name: "CD8 T", parent: "T cell", levels: "CD8:3 CD28:2 CD127:1.8"},
	{name: "CD8 naive", parent: "CD8 T", percent: 6, levels: "CD45RA:2.9 CCR7:2.2 CD27:2.5"},
	{name: "CD8 central memory", parent: "CD8 T", percent: 1.6, from: "CD8 naive", trail: 0.2,
		levels: "CCR7:1.9 CD27:2.3"},
	{name: "CD8 effector memory", parent: "CD8 T", percent: 4, from: "CD8 central memory", trail: 0.2,
		levels: "CCR7:0 CD27:1.4 CD28:1.2 CD127:1.2"},
	{name: "CD8 TEMRA", parent: "CD8 T", percent: 3.5, from: "CD8 effector memory", trail: 0.2,
		levels: "CD45RA:2.4 CD27:0 CD28:0 CD127:0.3 CD57:2.4 CD16:0.5"},
	{name: "gamma-delta T", parent: "T cell", percent: 1.5,
		levels: "TCRgd:2.8 CD8:0.6 CD45RA:1.5 CD161:1.2 CD28:0.6 CD27:1.5"},
	{name: "MAIT", parent: "T cell", percent: 1, levels: "CD161:3.2 CD8:2.1 CD127:2.1 CD27:1.8 CD28:2"},
	{name: "NKT-like", parent: "T cell", percent: 0.5, levels: "CD56:2.2 CD57:1.4 CD8:1.2 CD161:0.8"},
	{name: "double-negative T", parent: "T cell", percent: 0.4, levels: "CD45RA:1.6 CD28:1.4 CD27:1.8 CD127:1"},

	{name: "B cell", parent: "leukocyte", levels: "CD19:2.6 CD20:2.8 HLA-DR:2 CD45RA:2.2"},
	{name: "B transitional", parent: "B cell", percent: 0.5, levels: "CD24:2.8 CD38:2.6 IgM:2.6 IgD:1.8"},
	{name: "B naive", parent: "B cell", percent: 5, from: "B transitional", trail: 0.1,
		levels: "IgD:2.8 IgM:1.7 CD24:1.5 CD38:1.3"},
	{name: "B memory unswitched", parent: "B cell", percent: 1.2, from: "B naive", trail: 0.15,
		levels: "CD27:2 IgD:1.8 IgM:2.5 CD24:2"},
	{name: "B memory switched", parent: "B cell", percent: 1.8, from: "B memory unswitched", trail: 0.1,
		levels: "CD27:2.3 CD24:2.2"},
	{name: "plasmablast", parent: "B cell", percent: 0.4, from: "B memory switched", trail: 0.1,
		levels: "CD19:2 CD20:0.2 CD27:3 CD38:3.4 HLA-DR:1.6 CD45RA:0.8", fsc: 85e3, ssc: 35e3},

	{name: "NK", parent: "leukocyte", levels: "CD161:1.4 CD38:1.4", fsc: 68e3, ssc: 24e3},
	{name: "NK CD56 bright", parent: "NK", percent: 0.8, levels: "CD56:3.2 CD16:0.4 CD27:1 CD127:1"},
	{name: "NK CD56 dim", parent: "NK", percent: 4, from: "NK CD56 bright", trail: 0.1,
		levels: "CD56:2 CD16:2.8 CD45RA:2.2 CD8:0.6"},
	{name: "NK CD57+", parent: "NK", percent: 3, from: "NK CD56 dim", trail: 0.2,
		levels: "CD56:1.9 CD16:2.9 CD45RA:2.4 CD57:2.6 CD8:0.9"},

	{name: "monocyte", parent: "leukocyte", levels: "HLA-DR:2 CD11c:2.2 CD4:0.9", fsc: 98e3, ssc: 52e3},
	{name: "monocyte classical", parent: "monocyte", percent: 15, levels: "CD14:3 CD16:0.2"},
	{name: "monocyte intermediate", parent: "monocyte", percent: 1.5, from: "monocyte classical", trail: 0.3,
		levels: "CD14:2.6 CD16:1.8 HLA-DR:2.8"},
	{name: "monocyte non-classical", parent: "monocyte", percent: 2, from: "monocyte intermediate", trail: 0.3,
		levels: "CD14:0.7 CD16:2.6 CD11c:2.7 CD45RA:1"},
	{name: "dendritic", parent: "leukocyte", levels: "HLA-DR:3", fsc: 88e3, ssc: 38e3},
	{name: "cDC1", parent: "dendritic", percent: 0.3, levels: "CD141:2.9 CD11c:1.7"},
	{name: "cDC2", parent: "dendritic", percent: 0.8, levels: "CD1c:2.5 CD11c:2.6 CD4:0.8"},
	{name: "pDC", parent: "dendritic", percent: 0.5, levels: "CD123:3.2 HLA-DR:2.2 CD45RA:2 CD4:1.7"},

	{name: "neutrophil", parent: "leukocyte", percent: 15, levels: "CD45:2.3 CD66b:3 CD16:3.1 CD24:2 CD11c:0.8",
		fsc: 105e3, ssc: 115e3},
	{name: "eosinophil", parent: "leukocyte", percent: 1.2, levels: "CD45:2.7 CD66b:2.6 CD123:0.7 CD24:1", fsc: 95e3,
		ssc: 155e3},
	{name: "basophil", parent: "leukocyte", percent: 0.6, levels: "CD45:2 CD123:3 CD38:1.5 CD25:1", fsc: 66e3,
		ssc: 30e3},
	{name: "HSPC", parent: "leukocyte", percent: 0.35, levels: "CD45:1.6 CD34:2.7 CD38:1.6 HLA-DR:1.6 CD45RA:0.8",
		fsc: 64e3, ssc: 16e3},
}

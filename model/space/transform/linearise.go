package transform

// Linearise takes channel numbers of a logarithmic amplifier (FCS 3.1, $PnE) for the linear values that they stand for,
// so that the transform of the column is of these, as that of any other column is. A mix is about one column, whose
// unit says how; it is there where somebody has chosen a transform, and compensation does not do it.
const Linearise ID = "linearise"

func init() {
	RegisterMatrix(MatrixOp{
		ID: Linearise, Title: "Linear values", Order: 2, Word: "linear",
		Help: "Takes the channel numbers of a logarithmic amplifier for the values that they stand for.",
		Says: func(int) string { return "channels of a logarithmic amplifier are linear values" },
		Wrong: func(columns int, values []float64) string {
			if columns != 1 || len(values) > 0 {
				return "a channel is made linear by itself, without a number"
			}
			return ""
		},
		New: func(int, []float64) (forward, inverse func(Block)) { // units do it
			return func(Block) {}, func(Block) {}
		},
	})
}

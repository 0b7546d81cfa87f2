package density

// Loop is a closed line: rows of Places, of which the last is joined to the first.
type Loop struct {
	Level int
	Rows  []int32
}

// Loops are the lines whole, by level: their pieces joined where they meet. One that is open, which the lines of
// Contours are not, has its rows from one end to the other.
func (l *Lines) Loops() (out []Loop) {
	for from := 0; from < len(l.Pieces); {
		to := from
		for to < len(l.Pieces) && l.Pieces[to].Level == l.Pieces[from].Level {
			to++
		}
		for _, rows := range joined(l.Pieces[from:to]) {
			out = append(out, Loop{l.Pieces[from].Level, rows})
		}
		from = to
	}
	return out
}

// joined are the lines that pieces of one level make.
func joined(pieces []Piece) (out [][]int32) {
	at := map[int32][]int32{} // the pieces that end at a row
	for i, p := range pieces {
		at[p.A], at[p.B] = append(at[p.A], int32(i)), append(at[p.B], int32(i))
	}
	used := make([]bool, len(pieces))
	follow := func(row int32) (rows []int32) {
		for {
			next := int32(-1)
			for _, i := range at[row] {
				if !used[i] {
					next = i
					break
				}
			}
			if next < 0 {
				return rows
			}
			used[next] = true
			if p := pieces[next]; p.A == row {
				row = p.B
			} else {
				row = p.A
			}
			rows = append(rows, row)
		}
	}
	trace := func(i int) {
		if !used[i] {
			first := pieces[i].A
			rows := follow(first)
			if n := len(rows); rows[n-1] != first { // open
				rows = append([]int32{first}, rows...)
			}
			out = append(out, rows)
		}
	}
	for i, p := range pieces { // open lines from their ends
		if len(at[p.A]) == 1 {
			trace(i)
		} else if len(at[p.B]) == 1 && !used[i] {
			pieces[i].A, pieces[i].B = p.B, p.A
			trace(i)
		}
	}
	for i := range pieces {
		trace(i)
	}
	return out
}

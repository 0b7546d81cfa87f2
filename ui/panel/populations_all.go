package panel

import (
	"fmt"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/ui/widget"
)

// countsOf is what the counts of the list are of.
type countsOf int

const (
	ofSample countsOf = iota
	ofAllRows
)

// counts chooses what counts are of, where the points are a sample of a finished folder. What has been counted in all
// rows is shown when it comes.
func (p *populations) counts() {
	all := live.AllRowsOf(p.desk.Map)
	if all == nil {
		p.whole, p.seen = ofSample, nil
		return
	}
	if c := all.Counted(); c != p.seen {
		p.whole, p.seen = ofAllRows, c
	}
	u, chosen := p.desk.UI, int(p.whole)
	if u.Segmented("Counts of", []string{"The sample", "All rows"}, &chosen, fmt.Sprintf("The %s points of the "+
		"sample, or all %s rows of the folder. All rows are counted when that is asked for, and a number is shown as "+
		"long as it is of the population as it is.", widget.Grouped(p.desk.Doc.Data.Points),
		problem.Grouped(all.Rows))) {
		p.whole = countsOf(chosen)
	}
}

// tallied changes with the counts of all rows.
func (p *populations) tallied() revision.Revision {
	if all := live.AllRowsOf(p.desk.Map); all != nil {
		return all.CountRev()
	}
	return 0
}

// countAll writes how many of all rows a population has in the place of how many of the sample.
func (p *populations) countAll(row *populationRow, x population.Population, tree population.Tree) {
	all, o := live.AllRowsOf(p.desk.Map), &row.opts
	sample := o.Count
	n, known := all.Count(x.ID)
	if !known {
		o.Count, o.Share, o.Part = "not counted", "–", -1
		o.Tip = fmt.Sprintf("%s\nIts rows are not counted, or it was another one then. Of the sample it has %s points.",
			x.Name, sample)
		if !scale.OfAllRows(x.Rule) {
			o.Count = "of the sample"
			o.Tip = fmt.Sprintf("%s\nIt is %s, which the sample alone has: %s points.", x.Name, x.Rule.Says(), sample)
		}
		return
	}
	of := all.Rows
	if up, is := all.Count(x.Parent); p.parent && is && x.Parent != 0 {
		of = up
	}
	o.Count, o.Share = problem.Grouped(n), widget.Percent(int(n), int(of))
	o.Part = share(int(n), int(of))
	o.Tip = fmt.Sprintf("%s\n%s of all %s rows: %s", x.Name, problem.Grouped(n), problem.Grouped(all.Rows),
		widget.Percent(int(n), int(all.Rows)))
	if up, is := all.Count(x.Parent); is && x.Parent != 0 {
		above, _ := tree.Find(x.Parent)
		o.Tip += fmt.Sprintf(", %s of %s", widget.Percent(int(n), int(up)), above.Name)
	}
	o.Tip += fmt.Sprintf("\nOf the sample it has %s points.\nBy %s", sample, x.Rule.Says())
}

// countButton counts the populations in all rows, where some are not counted.
func (p *populations) countButton() {
	if p.whole != ofAllRows {
		return
	}
	u, count := p.desk.UI, p.desk.Window.Command("count-all-rows")
	u.Space(4)
	if u.Button("Count in all rows##count", widget.ButtonOpts{Width: -1, Tip: count.Tip, Disabled: !count.Can}) {
		count.Run()
	}
}

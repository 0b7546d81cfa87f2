package panel

import (
	"fmt"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/widget"
)

// mix draws how much each column of the map counts, a slider for each, where all are spoken of; of one column what
// mutes it, and what leaves it alone. The codebook goes along with every change, so that nothing jumps.
func (p *transforms) mix() {
	u, spec := p.desk.UI, parts.Transform.Of(p.desk.Doc.State())
	if p.desk.Subject > 0 {
		p.muteAndSolo(spec, p.desk.Subject-1)
		return
	}
	u.Space(2)
	if !u.Switch("Weights of each column", &p.mixing,
		"Shows a weight for each column of the map. Raising one makes its differences larger, 0 takes it out.") &&
		!p.mixing {
		return
	}
	for _, i := range spec.MapColumns() {
		w := spec.Columns[i].Weight
		name := p.desk.Doc.Data.Columns[i].Short()
		e := u.Slider(fmt.Sprintf("%s##mix%d", name, i), &w, widget.Param{Min: 0, Max: 5, Default: 1, Format: "%.2f"},
			"How much "+name+" counts in the map; 0 takes it out.")
		p.weigh("Weight of "+name, e, func(s *transform.Spec) { s.Columns[i].Weight = w })
	}
}

// muteAndSolo draws the buttons of one column.
func (p *transforms) muteAndSolo(spec transform.Spec, col int) {
	u, name := p.desk.UI, p.desk.Doc.Data.Columns[col].Short()
	if spec.Columns[col].Use != transform.InMap {
		return
	}
	once := widget.Edit{Changed: true, Committed: true}
	muted, alone := spec.Columns[col].Weight == 0, true
	for _, i := range spec.MapColumns() {
		alone = alone && (i == col) == (spec.Columns[i].Weight > 0)
	}
	word, weight := "Mute", 0.0
	if muted {
		word, weight = "Unmute", 1
	}
	if u.Button(word+"##mute", widget.ButtonOpts{
		Tip: "Takes " + name + " out of the map, or back in, with weight 0 or 1"}) {
		p.weigh(word+" "+name, once, func(s *transform.Spec) { s.Columns[col].Weight = weight })
	}
	u.Same()
	if alone {
		if u.Button("All##solo", widget.ButtonOpts{Tip: "Lets all columns of the map count again, with weight 1"}) {
			p.weigh("Let all columns count", once, func(s *transform.Spec) {
				for _, i := range s.MapColumns() {
					s.Columns[i].Weight = 1
				}
			})
		}
		return
	}
	if u.Button("Solo##solo", widget.ButtonOpts{Tip: "Lets " + name + " alone make the map: all others get weight 0"}) {
		p.weigh("Solo "+name, once, func(s *transform.Spec) {
			for _, i := range s.MapColumns() {
				if i != col {
					s.Columns[i].Weight = 0
				}
			}
			if s.Columns[col].Weight == 0 {
				s.Columns[col].Weight = 1
			}
		})
	}
}

// weigh changes weights of columns, unless none would be left that counts.
func (p *transforms) weigh(name string, e widget.Edit, change func(*transform.Spec)) {
	p.desk.Change(name, e, func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		change(&spec)
		if weightless(spec) {
			p.desk.Window.Say("all weights are 0: then there is no map")
			return
		}
		if spec.Validate(p.desk.Doc.Data) == nil {
			parts.Transform.Put(s, spec)
		}
	})
}

package desk_test

import (
	"slices"
	"testing"

	"blossom/model/live/member"
	"blossom/ui/command"
	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// pretended is a run that only says what it was told.
type pretended struct {
	now  member.Running
	told []string
}

func (p *pretended) Stands() member.Running { return p.now }
func (p *pretended) Pause()                 { p.tell("pause") }
func (p *pretended) Start() error           { return p.tell("start") }
func (p *pretended) Step() error            { return p.tell("step") }
func (p *pretended) Again() error           { return p.tell("again") }

func (p *pretended) tell(what string) error {
	p.told = append(p.told, what)
	return nil
}

// One command starts a run and pauses it, but does not start what has come to rest just now; another one does a step,
// and the third starts it over. None can be given where there is no such run in sight.
func TestTheCommandsOfAKindOfRun(t *testing.T) {
	s, _ := stand.Open(t, stand.Options{Data: "demo:cytometry:300"})
	run, sight := &pretended{}, []member.Steered{}
	desk.RegisterRun(desk.RunKind{Name: "the pretence", Unit: "lies",
		InSight: func(*desk.Desk) []member.Steered { return sight },
		Stepped: func(*desk.Desk) member.Stepped { return run },
		Run:     command.Command[*desk.Desk]{ID: "pretend", Title: "Pretend"},
		Step:    command.Command[*desk.Desk]{ID: "pretend-step", Title: "Pretend a little"},
		Again:   command.Command[*desk.Desk]{ID: "pretend-again", Title: "Pretend anew"}})
	all := desk.RunByID("pretend").Commands()
	if len(all) != 3 || all[1].Below != "pretend" || all[2].Below != "pretend-step" || !all[1].Repeat {
		t.Fatalf("its commands are %+v", all)
	}
	uitest.Do(func() {
		for _, c := range all {
			if c.Can(s.Desk) {
				t.Errorf("%s can be told to nobody", c.ID)
			}
		}
		sight = append(sight, run)
		give := func(command int, now member.Running, want ...string) {
			t.Helper()
			run.now, run.told = now, nil
			if c := all[command]; !c.Can(s.Desk) {
				t.Errorf("%s cannot be given", c.ID)
			} else {
				c.Run(s.Desk)
			}
			if !slices.Equal(run.told, want) {
				t.Errorf("%s tells it to %q, not %q", all[command].ID, run.told, want)
			}
		}
		give(0, member.Running{}, "start")
		give(0, member.Running{Active: true}, "pause")
		give(0, member.Running{Rest: true, Just: true})
		give(0, member.Running{Rest: true}, "start")
		give(1, member.Running{}, "step")
		give(2, member.Running{Active: true}, "again")
	})
}

package parts

import (
	"encoding/json"
	"testing"
)

// A live region comes back as it was. One that is damaged, or none, is left out with a note, and costs nothing else.
func TestADamagedLiveRegionIsLeftOut(t *testing.T) {
	good := `{"rule":{"region":{"map":{"kind":"pca","dims":2},"strokes":[{"does":"add","shape":"rectangle",` +
		`"path":[[0,0],[1,1]]}]}},"in":4}`
	for _, raw := range []string{good, `{}`, `[]`, `{"rule":{"cells":{"rows":3,"count":0,"runs":""}}}`,
		`{"rule":{"landmarks":[1]}}`, `{"rule":{"region":{}}}`, `{"rule":7}`, `nonsense`} {
		var notes []string
		c := snapshotContext(t, 3, &notes)
		live, err := decodeRegion(json.RawMessage(raw), 1, c)
		if err != nil || (live != nil) != (raw == good) || (len(notes) == 0) != (raw == good) {
			t.Errorf("%s: %+v, %q, %v", raw, live, notes, err)
		}
		if live == nil {
			continue
		}
		again, err := encodeRegion(live, c)
		if back, _ := decodeRegion(again, 1, c); err != nil || live.In != 4 || back == nil || back.In != 4 ||
			!back.Rule.Equal(live.Rule) {
			t.Errorf("it comes back as %s, %v", again, err)
		}
	}
}

package dialog

import (
	"path/filepath"
	"slices"
	"time"

	"blossom/model/document/recovery"
)

// apart is what tells a session from others of the same name in a list.
type apart struct {
	folder string // the end of its data's path that tells it from theirs; "": none does
	when   string // with seconds where others of the name would be told by nothing else
}

// namesApart says of each session what tells it from others of its name: the folder of its data, or else the time.
func namesApart(items []recovery.Item, now time.Time) []apart {
	out := make([]apart, len(items))
	named := map[string][]int{}
	for k := range items {
		out[k].when = When(items[k].At, now)
		named[items[k].Name] = append(named[items[k].Name], k)
	}
	for _, same := range named {
		if len(same) < 2 {
			continue
		}
		var folders []place   // sessions have them
		var different []place // folders, each once
		for _, k := range same {
			dir := ""
			if data := items[k].Data; len(data) > 0 && filepath.IsAbs(data[0]) { // demos have no folder
				dir = filepath.Dir(data[0])
			}
			f := place{name: filepath.Base(dir), path: dir}
			if folders = append(folders, f); !slices.Contains(different, f) {
				different = append(different, f)
			}
		}
		tellApart(different)
		for f := range folders {
			at := slices.IndexFunc(different, func(p place) bool { return p.path == folders[f].path })
			folders[f] = different[at]
		}
		several := slices.ContainsFunc(folders, func(p place) bool { return p.path != folders[0].path })
		seen := map[[2]string]int{}
		for f, k := range same {
			if several && folders[f].path != "" {
				out[k].folder = "in " + folders[f].name
			}
			seen[[2]string{folders[f].path, out[k].when}]++
		}
		for f, k := range same {
			if seen[[2]string{folders[f].path, out[k].when}] > 1 {
				out[k].when = toTheSecond(items[k].At, now)
			}
		}
	}
	return out
}

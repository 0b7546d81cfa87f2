package main

import (
	"context"
	"fmt"

	"blossom/gpu/bench"
	"blossom/model/work/engine"
)

// followHelp explains bench follow.
const followHelp = `

follow compares ways to a map of many points of the cytometry demo: t-SNE of all of them (2,000,000 at most); t-SNE of
a sample of 20,000, made landmarks that EmbedSOM places all points by, or in whose map all others are placed one by one;
and EmbedSOM with the map it begins with. Its points are 200,000, on a card one million and ten; R_NX, trustworthiness
and continuity are of 400 to 2,000 points among all.`

// benchFollow compares a sample that the others follow with laying all points out.
func (a *app) benchFollow(ctx context.Context, o benchOptions, asJSON bool) (rows []any, err error) {
	m := bench.FollowOptions{Engine: o.engine, Compute: engine.Options{Threads: o.threads, Device: o.device,
		GL: offscreen}, Points: []int{200_000}, Sample: 20_000,
		Landmarks: []int{500, 1000, 2000, 4000}, Say: o.say}
	if m.Engine == "" {
		m.Engine = "cpu"
	}
	if isCard(m.Engine) {
		m.Points = []int{1_000_000, 10_000_000}
	}
	if o.embed.quick {
		m.Points = []int{50_000}
	}
	if o.points > 0 {
		m.Points = []int{o.points}
	}
	m.Told = func(followed []bench.Followed) {
		if !asJSON {
			o.clear()
			printFollowed(a, followed)
		}
	}
	followed, err := bench.Follow(ctx, m)
	for _, r := range followed {
		rows = append(rows, r)
	}
	return rows, err
}

func printFollowed(a *app, rows []bench.Followed) {
	t := textTable{heads: []string{"follow", "points", "map s", "landmarks s", "place s", "s", "R_NX", "+-", "trusted",
		"continuous"}, words: 1}
	for _, r := range rows {
		t.add(r.Variant, fmt.Sprint(r.N), digits(r.Map), digits(r.Landmarks), digits(r.Place), digits(r.Seconds),
			fmt.Sprintf("%.3f", r.RNX), fmt.Sprintf("%.3f", r.RNXError), fmt.Sprintf("%.4f", r.Trustworthiness),
			fmt.Sprintf("%.4f", r.Continuity))
	}
	fmt.Fprintln(a.out)
	t.write(a.out)
}

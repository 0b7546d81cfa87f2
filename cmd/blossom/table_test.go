package main

import (
	"strings"
	"testing"
)

func TestTextTable(t *testing.T) {
	table := textTable{heads: []string{"name", "n"}, words: 1}
	table.add("γδ", "7")
	table.add("naïve", "1234")
	var b strings.Builder
	table.write(&b)
	if want := "name      n\nγδ        7\nnaïve  1234\n"; b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

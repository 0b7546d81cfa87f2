package match

import (
	"strings"
	"unicode"

	"blossom/model/base/pattern"
	"blossom/model/data/dataset"
)

// greek letters are written out by some programs: TCRγδ, TCRgd.
var greek = strings.NewReplacer("α", "a", "β", "b", "γ", "g", "δ", "d", "ε", "e", "ζ", "z", "κ", "k", "λ", "l",
	"μ", "m", "Α", "a", "Β", "b", "Γ", "g", "Δ", "d", "Ε", "e", "Κ", "k", "Λ", "l")

// dye is the name of a fluorochrome or a metal, in small letters, as people write it beside the antigen.
const dye = `(?:fitc|pe|apc|percp|ecd|pc5(?:\.5)?|pc7|h7|tr|texas ?red|cy ?-?[357](?:[.-]?5)?|` +
	`(?:super ?bright|sb|buv|bv|bb|by|brilliant violet|r|v|rb|ry|nfb|nfr|nfy|fire|dazzle|` +
	`spark ?(?:blue|nir|violet|uv|yg)|alexa ?(?:fluor)?|alexafluor|af|ax|ef|efluor|qdot|qd|vio|vioblue|viogreen) ` +
	`?[0-9]{3}|vio ?bright|pac(?:ific)? ?(?:blue|orange)|pacblu|pacorange|pac(?:ific)?|krome ?orange|amcyan|horizon|` +
	`(?:1[0-9]{2}|209|89)(?:y|rh|pd|in|cd|pr|la|ce|nd|sm|eu|gd|tb|dy|ho|er|tm|yb|lu|ir|pt|bi)|` +
	`(?:y|rh|pd|in|pr|la|ce|nd|sm|eu|gd|tb|dy|ho|er|tm|yb|lu|ir|pt|bi)(?:1[0-9]{2}|209|89)(?:di|dd)?)`

const dyes = dye + `(?:[ _./+-]*` + dye + `)*`

var (
	pulseEnd = pattern.Of(`[ _-]([ahw])$`)
	onlyDyes = pattern.Of(`^(?:comp(?:ensated)?[ _-])?[(<]?` + dyes + `[>)]?(?:[ _-][ahw])?$`)
	dyesLast = pattern.Of(`^(.+?)[ _:|./(<-]+` + dyes + `[)>]?(?:[ _-][ahw])?\)?$`)
	dyeAfter = pattern.Of(`(?i)^(.+?)[ _:|./(<-]+` + dyes + `[)>]?(?:[ _-][ahw])?\)?$`)
	dyesOnce = pattern.Of(`^(?:comp(?:ensated)?[ _-])?[(<]?` + dyes + `[>)]?(?:[ _-][ahw])?[ _:|.-]+(.+)$`)
)

// antigenOf brings the name of an antigen into the one form that is compared: letter case, spaces and punctuation do
// not count, nor does a fluorochrome or metal that is written with it; a mark between two digits does (NK1.1, CD16/32).
// "" if text names none.
func antigenOf(text string) string {
	s := strings.ToLower(greek.Replace(strings.TrimSpace(text)))
	if onlyDyes().MatchString(s) {
		return ""
	}
	if m := dyesLast().FindStringSubmatch(s); m != nil {
		s = m[1]
	} else if m := dyesOnce().FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		case i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1]):
			b.WriteRune('.')
		case r == '+' || r == '*' || r == '#':
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain is the name of an antigen as it is spelled, without a fluorochrome or metal that is written behind it.
func plain(text string) string {
	if m := dyeAfter().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		return m[1]
	}
	return text
}

// SameAntigen says whether two columns name one antigen, whatever it is stained with.
func SameAntigen(a, b *dataset.Column) bool {
	antigen := antigenOf(spelled(a))
	return antigen != "" && antigen == antigenOf(spelled(b)) && pulse(a.Name) == pulse(b.Name)
}

// pulse is which measure of its pulse a detector gives: its area unless the name says height or width.
func pulse(name string) string {
	if m := pulseEnd().FindStringSubmatch(detectorOf(name)); m != nil {
		return m[1]
	}
	return "a"
}

// detectorOf brings the name of a detector into the form that is compared: letter case does not count, nor an antigen
// that is written behind it.
func detectorOf(name string) string {
	name, _, _ = strings.Cut(name, "::")
	return strings.ToLower(strings.TrimSpace(name))
}

// similar is a detector's name without its punctuation, and without a word that says it is compensated.
func similar(name string) string {
	return strings.TrimPrefix(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, detectorOf(name)), "comp")
}

// spelled is how a column names its antigen: its label, where that says more than its name. FlowJo's CSV has both in
// the name, "Comp-FITC-A :: CD4".
func spelled(c *dataset.Column) string {
	switch c.Role {
	case dataset.Scatter, dataset.Time, dataset.Index:
		return "" // the name is the detector's
	}
	if label := strings.TrimSpace(c.Label); label != "" && !strings.EqualFold(label, strings.TrimSpace(c.Name)) {
		return label
	}
	if _, label, ok := strings.Cut(c.Name, "::"); ok {
		return strings.TrimSpace(label)
	}
	return ""
}

package engine

import (
	"slices"
	"strings"

	"blossom/model/base/problem"
)

// FullName is an engine with its variant, as Pin reads it: "cpu/avx2", or "reference" for no variant. Outputs name it,
// because the same input gives the same bytes on the same of them.
func FullName(name, variant string) string {
	if variant == "" {
		return name
	}
	return name + "/" + variant
}

// Pin reads what pins a variant: "cpu/avx2", or "avx2" for the engine of that name, with "auto" for the first
// that has it. It returns the engine and the variant for Options; "" pins nothing.
func Pin(name, variant string) (engine, pinned string, err error) {
	if variant == "" {
		return name, "", nil
	}
	if of, v, slash := strings.Cut(variant, "/"); slash {
		if name != "" && name != Auto && name != of {
			return "", "", problem.New("", "leave one of them out", "variant %s is not of engine %s", variant, name)
		}
		name, variant = of, v
	}
	var all []string
	for _, r := range Registered() {
		if r.Variants == nil {
			continue
		}
		names := r.Variants()
		for _, v := range names {
			all = append(all, r.Name+"/"+v)
		}
		if (name == "" || name == Auto || name == r.Name) && slices.Contains(names, variant) {
			return r.Name, variant, nil
		}
	}
	if len(all) == 0 {
		return "", "", problem.New("", "leave it out", "no engine of this build has variants, so none is %q", variant)
	}
	of := ""
	if name != "" && name != Auto {
		of = name + "/"
	}
	return "", "", problem.New("", "use one of "+strings.Join(all, ", "), "there is no variant %s%s here", of, variant)
}

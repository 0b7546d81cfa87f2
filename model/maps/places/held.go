package places

import (
	"context"
	"fmt"
	"slices"

	"blossom/model/base/problem"
)

// farthest is how far from the origin a point may lie: squares of distances are float32.
const farthest = 1e9

// Check returns a Problem if y (n x dims) is no places for n points: of another length, not finite, or too far away.
func Check(y []float32, n, dims int) error {
	if len(y) != n*dims {
		return problem.New("", "take a start with one place for each point", "%d points of %d dimensions cannot start "+
			"from %d numbers", n, dims, len(y))
	}
	for i, v := range y {
		if !(v >= -farthest && v <= farthest) {
			return problem.New("", fmt.Sprintf("take places up to %g, or scale them down", farthest),
				"point %d of the map is at %g", i/dims+1, v)
		}
	}
	return nil
}

// CheckHeld returns a Problem if ids are not rising numbers of n points.
func CheckHeld(ids []int32, n int) error {
	for i, id := range ids {
		if id < 0 || int(id) >= n || i > 0 && id <= ids[i-1] {
			return problem.New("", "start it anew", "point %d of %d is held", id, n)
		}
	}
	return nil
}

// Holder holds points of a map on a device.
type Holder interface {
	// Hold pins points at places (len(ids) x dims), or moves them there if they are held.
	Hold(ctx context.Context, ids []int32, places []float32) error
	// Release lets points go.
	Release(ctx context.Context, ids []int32) error
}

// Held are the points that are held, rising.
type Held []int32

// Hold has h pin points, of n in all, at places (len(ids) x dims). After an error the list is as before.
func (p *Held) Hold(ctx context.Context, h Holder, n, dims int, ids []int32, places []float32) error {
	if err := Check(places, len(ids), dims); err != nil {
		return err
	}
	if err := known(ids, n); err != nil {
		return err
	}
	if err := h.Hold(ctx, ids, places); err != nil {
		return err
	}
	*p = Joined(*p, ids)
	return nil
}

// Release has h let points go, of n in all. After an error the list is as before.
func (p *Held) Release(ctx context.Context, h Holder, n int, ids []int32) error {
	if err := known(ids, n); err != nil {
		return err
	}
	if err := h.Release(ctx, ids); err != nil {
		return err
	}
	*p = Without(*p, ids)
	return nil
}

// Joined returns the points of either list, rising.
func Joined(list, ids []int32) []int32 {
	list = append(list, ids...)
	slices.Sort(list)
	return slices.Compact(list)
}

// Without takes points out of a list, which stays rising.
func Without(list, ids []int32) []int32 {
	gone := slices.Clone(ids)
	slices.Sort(gone)
	return slices.DeleteFunc(list, func(id int32) bool {
		_, found := slices.BinarySearch(gone, id)
		return found
	})
}

func known(ids []int32, n int) error {
	for _, id := range ids {
		if id < 0 || int(id) >= n {
			return problem.New("", "this is a defect of the program", "there is no point %d of %d", id, n)
		}
	}
	return nil
}

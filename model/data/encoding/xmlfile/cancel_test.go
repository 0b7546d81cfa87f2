package xmlfile

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// patience is a context that is cancelled once it has been asked some times.
type patience struct {
	context.Context
	left, asked int
}

func (p *patience) Err() error {
	if p.asked++; p.asked > p.left {
		return context.Canceled
	}
	return nil
}

// A long file is given up within some thousands of its elements, however many follow.
func TestALongFileCanBeCancelled(t *testing.T) {
	text := []byte("<a>" + strings.Repeat("<b/>", 200_000) + "</a>")
	for _, left := range []int{0, 1, 5} {
		ctx := &patience{Context: t.Context(), left: left}
		if _, err := Parse(ctx, text, "x.xml"); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled when it has asked %d times: %v", left, err)
		}
	}
	ctx := &patience{Context: t.Context(), left: 1 << 30}
	if _, err := Parse(ctx, text, "x.xml"); err != nil || ctx.asked < 400_000/10_000 {
		t.Errorf("it has asked %d times in a file of 200,000 elements, %v", ctx.asked, err)
	}
}

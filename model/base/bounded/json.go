// Package bounded reads JSON of unknown origin: before anything is made of a text, its worth in memory is estimated in
// one pass, so that some kilobytes of {}{}{}... cannot take gigabytes.
package bounded

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
)

// Values of JSON become about so many bytes in memory: an object is a struct or a map, within a slice that grew.
const (
	objectCost = 300
	arrayCost  = 72
	valueCost  = 24
)

// Free is what any text may become; beyond it a text may become some times its own length, as honest ones do.
const (
	Free  = 192 << 20
	times = 4
)

// Depth is how deep values may be nested.
const Depth = 200

// The errors of texts that are not read.
var (
	ErrLarge = errors.New("holds more than can be read")
	ErrDeep  = errors.New("is nested too deeply")
)

// Budget is what all texts of one file together may become.
type Budget struct{ spent, length int64 }

// Unmarshal is json.Unmarshal within the budget. The error is ErrLarge, ErrDeep, or json's; nothing is made of a text
// that is beyond it.
func (b *Budget) Unmarshal(text []byte, to any) error {
	if err := b.spend(text, to); err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// spend takes from the budget what a text becomes: in any case what it is worth by itself, as what is kept of it as it
// stands may be read later.
func (b *Budget) spend(text []byte, to any) error {
	cost, err := worth(text)
	if err != nil {
		return err
	}
	cost = max(cost, becomes(text, reflect.TypeOf(to)))
	spent, length := b.spent+cost, b.length+int64(len(text))
	if spent > max(Free, times*length) {
		return ErrLarge
	}
	b.spent, b.length = spent, length
	return nil
}

// Unmarshal is json.Unmarshal of one text within a budget of its own.
func Unmarshal(text []byte, to any) error {
	var b Budget
	return b.Unmarshal(text, to)
}

// Strict is Unmarshal that refuses fields which the value does not know: they would mean something.
func Strict(text []byte, to any) error {
	var b Budget
	if err := b.spend(text, to); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(to)
}

// worth estimates what a text becomes. A text that is no JSON is worth something too; json says what is wrong with it.
func worth(text []byte) (cost int64, err error) {
	depth, within := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if within {
			switch c {
			case '\\':
				i++
			case '"':
				within = false
			}
			continue
		}
		switch c {
		case '"':
			within = true
		case '{':
			cost += objectCost
			depth++
		case '[':
			cost += arrayCost
			depth++
		case '}', ']':
			depth--
		case ',':
			cost += valueCost
		}
		if depth > Depth {
			return 0, ErrDeep
		}
	}
	return cost + int64(len(text)), nil
}

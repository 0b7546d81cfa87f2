package bounded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
)

const unknownField = "json: unknown field "

// IsUnknownField says whether decoding has failed for a field that the value does not know.
func IsUnknownField(err error) bool { return strings.HasPrefix(err.Error(), unknownField) }

// Flaw says in plain words what is wrong with JSON.
func Flaw(err error) string {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		err.Error() == "unexpected end of JSON input":
		return "its end is missing"
	case errors.As(err, &kind):
		value := strings.TrimPrefix(kind.Value, "number ")
		where := ""
		if kind.Field != "" {
			where = " in " + inside(kind.Field)
		}
		return fmt.Sprintf("%.60q%s is not %s", value, where, wordOf(kind.Type))
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is not JSON at byte %d", syntax.Offset)
	case IsUnknownField(err):
		return "this program does not know what " + strings.TrimPrefix(err.Error(), unknownField) + " would do"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// wordOf is what a value of a type is for people.
func wordOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Uint64, reflect.Uint:
		return "a whole number from 0"
	case reflect.Float32, reflect.Float64:
		return "a number that can be held"
	}
	return "a whole number"
}

// inside is the path of a field as its author wrote it: without the names of types that are embedded, which begin with
// a capital letter.
func inside(field string) string {
	parts := strings.Split(field, ".")
	own := slices.DeleteFunc(parts[:len(parts)-1:len(parts)-1], func(part string) bool {
		return part != "" && unicode.IsUpper([]rune(part)[0])
	})
	return strings.Join(append(own, parts[len(parts)-1]), ".")
}

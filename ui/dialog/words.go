package dialog

import "fmt"

// columnsText counts columns.
func columnsText(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

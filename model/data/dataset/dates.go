package dataset

import (
	"math"
	"time"
)

// HoldsDates says whether the values are days since the beginning of 1970.
func (c *Column) HoldsDates() bool { return c.Why == Dates }

// DateText writes so many days since the beginning of 1970 as a day, with the time where it is none at midnight;
// "" for what is no day of four digits of years.
func DateText(days float64) string {
	if !(days > -719_000 && days < 2_900_000) {
		return ""
	}
	t := time.Unix(int64(math.Round(days*24*60))*60, 0).UTC()
	if t.Hour() == 0 && t.Minute() == 0 {
		return t.Format("2006-01-02")
	}
	return t.Format("2006-01-02 15:04")
}

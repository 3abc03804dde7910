package main

import (
	"errors"
	"fmt"
)

// checkSection refuses what no single line is to blame for, and totals without a column.
func checkSection(section *Section) error {
	if section.kind == "" {
		return errors.New("no from line")
	}
	if len(section.columns) == 0 {
		return errors.New("no column line")
	}
	for _, total := range section.totals {
		if err := checkTotal(section, total); err != nil {
			return err
		}
	}
	return nil
}

func checkTotal(section *Section, total Total) error {
	if total.field == section.columns[0].field {
		return fmt.Errorf("%s: no total in the first column", total.place)
	}
	for _, column := range section.columns {
		if column.field == total.field {
			return nil
		}
	}
	return fmt.Errorf("%s: no column %s", total.place, total.field)
}

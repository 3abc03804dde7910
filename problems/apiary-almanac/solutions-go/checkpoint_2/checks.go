package main

import "fmt"

// checkSection refuses what a section must not have, or lacks, as a whole.
func checkSection(section *Section) error {
	place := ""
	if section.place != "" {
		place = section.place + ": "
	}
	if section.kind == "" {
		return fmt.Errorf("%sno from line", place)
	}
	if len(section.columns) == 0 {
		return fmt.Errorf("%sno column line", place)
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

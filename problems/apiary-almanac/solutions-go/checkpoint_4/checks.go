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
	for _, check := range []func(*Section) error{checkRows, checkColumns, checkSorts, checkTotals, checkNotes} {
		if err := check(section); err != nil {
			return err
		}
	}
	return nil
}

func checkRows(section *Section) error {
	for at, row := range section.rows {
		if !row.filled {
			continue
		}
		if at < len(section.rows)-1 {
			return fmt.Errorf("%s: only the last row can be filled", row.place)
		}
		if computed := section.findComputed(row.field); computed == nil || computed.size == "" {
			return fmt.Errorf("%s: %s is no period", row.place, row.field)
		}
	}
	return nil
}

func checkColumns(section *Section) error {
	for _, column := range section.columns {
		if column.statistic != "" && len(section.rows) == 0 {
			return fmt.Errorf("%s: no row line", column.place)
		}
		if column.statistic == "" && len(section.rows) > 0 && !contains(section.keyFields(), column.field) {
			return fmt.Errorf("%s: %s needs a statistic", column.place, column.field)
		}
	}
	return nil
}

func checkSorts(section *Section) error {
	if len(section.rows) > 0 && len(section.sorts) > 0 {
		return fmt.Errorf("%s: no sort with row lines", section.sorts[0].place)
	}
	return nil
}

func checkTotals(section *Section) error {
	for _, total := range section.totals {
		if total.field == section.columns[0].field {
			return fmt.Errorf("%s: no total in the first column", total.place)
		}
		if !hasTotalColumn(section, total) {
			return fmt.Errorf("%s: no column %s", total.place, wantedColumn(section, total))
		}
	}
	return nil
}

func hasTotalColumn(section *Section, total Total) bool {
	for _, column := range section.columns {
		if column.shows(total) {
			return true
		}
	}
	return false
}

func wantedColumn(section *Section, total Total) string {
	if len(section.rows) > 0 {
		return total.field + " " + total.statistic
	}
	return total.field
}

// shows tells whether a total appears below the column.
func (c *Column) shows(total Total) bool {
	return c.field == total.field && c.course == "" && (c.statistic == "" || c.statistic == total.statistic)
}

func checkNotes(section *Section) error {
	for _, note := range section.notes {
		if !hasColumn(section, note.field) {
			return fmt.Errorf("%s: no column %s", note.place, note.field)
		}
	}
	return nil
}

func hasColumn(section *Section, field string) bool {
	for _, column := range section.columns {
		if column.field == field {
			return true
		}
	}
	return false
}

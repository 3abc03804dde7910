package main

import "strings"

// Entry is a row: its fields, the records behind it, and a value for each column.
type Entry struct {
	fields  Record
	records []Record
	values  []Value
}

// entriesOf gives the rows of the sorted records of a section.
func entriesOf(section *Section, records []Record) []*Entry {
	var entries []*Entry
	if len(section.rows) > 0 {
		entries = summaries(section, records)
	} else {
		for _, record := range records {
			entries = append(entries, &Entry{fields: record, records: []Record{record}})
		}
	}
	for _, entry := range entries {
		for _, column := range section.columns {
			entry.values = append(entry.values, entry.valueOf(column))
		}
	}
	followCourses(section, entries)
	return entries
}

func (e *Entry) valueOf(column *Column) Value {
	if column.statistic == "" {
		return e.fields[column.field]
	}
	return statistic(column.statistic, valuesOf(e.records, column.field))
}

func valuesOf(records []Record, field string) []Value {
	values := make([]Value, len(records))
	for at, record := range records {
		values[at] = record[field]
	}
	return values
}

// fieldsKey is the same for records with the same values of some fields.
func fieldsKey(record Record, fields []string) string {
	keys := make([]string, len(fields))
	for at, field := range fields {
		keys[at] = keyOf(record[field])
	}
	return strings.Join(keys, "\n")
}

// summaries are rows of all records with the same values of the groups and rows.
func summaries(section *Section, records []Record) []*Entry {
	fields := section.keyFields()
	var entries []*Entry
	for _, run := range runs(records, func(record Record) string { return fieldsKey(record, fields) }) {
		entries = append(entries, &Entry{fields: selected(run[0], fields), records: run})
	}
	if section.rows[len(section.rows)-1].filled {
		return filled(section, entries)
	}
	return entries
}

func selected(record Record, fields []string) Record {
	result := Record{}
	for _, field := range fields {
		result[field] = record[field]
	}
	return result
}

// filled has rows for all periods from the first to the last of the section.
func filled(section *Section, entries []*Entry) []*Entry {
	fields := section.keyFields()
	others, field := fields[:len(fields)-1], fields[len(fields)-1]
	periods := allPeriods(section, field, entries)
	var result []*Entry
	for _, run := range entryRuns(entries, others) {
		result = append(result, filledRun(run, others, field, periods)...)
	}
	return result
}

func allPeriods(section *Section, field string, entries []*Entry) []Period {
	var first, last *Period
	for _, entry := range entries {
		period, ok := entry.fields[field].(Period)
		if !ok {
			continue
		}
		if first == nil || period.first.Before(first.first) {
			first = &period
		}
		if last == nil || period.first.After(last.first) {
			last = &period
		}
	}
	if first == nil {
		return nil
	}
	return sizes[section.findComputed(field).size].between(*first, *last)
}

func entryRuns(entries []*Entry, fields []string) [][]*Entry {
	return runs(entries, func(entry *Entry) string { return fieldsKey(entry.fields, fields) })
}

// filledRun fills the rows that differ only in the period. A row without a period comes last.
func filledRun(entries []*Entry, others []string, field string, periods []Period) []*Entry {
	byPeriod := map[string]*Entry{}
	for _, entry := range entries {
		byPeriod[keyOf(entry.fields[field])] = entry
	}
	var result []*Entry
	for _, period := range periods {
		entry := byPeriod[period.key()]
		if entry == nil {
			entry = &Entry{fields: selected(entries[0].fields, others)}
			entry.fields[field] = period
		}
		result = append(result, entry)
	}
	if undated := byPeriod[keyOf(nil)]; undated != nil {
		result = append(result, undated)
	}
	return result
}

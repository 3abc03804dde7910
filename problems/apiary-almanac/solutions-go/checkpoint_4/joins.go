package main

import "fmt"

// Joiner finds the records that belong to a record.
type Joiner struct {
	joins []Join
	found []map[string][]Record // for each join, by the key of the value that both have
}

func newJoiner(joins []Join, records []Record) *Joiner {
	joiner := &Joiner{joins: joins}
	for _, join := range joins {
		joiner.found = append(joiner.found, join.byValue(records))
	}
	return joiner
}

func (j Join) byValue(records []Record) map[string][]Record {
	found := map[string][]Record{}
	for _, record := range records {
		if value := record[j.theirs]; record.kind() == j.kind && value != nil {
			found[value.key()] = append(found[value.key()], record)
		}
	}
	return found
}

// joined is a copy of a record with the fields of those that belong to it, as NAME.FIELD.
func (j *Joiner) joined(record Record) (Record, error) {
	result := Record{}
	for name, value := range record {
		result[name] = value
	}
	for at, join := range j.joins {
		others := j.found[at][keyOf(result[join.ours])]
		if len(others) > 1 {
			return nil, fmt.Errorf("%s: several records of %s with %s %s",
				join.place, join.kind, join.theirs, shown(others[0][join.theirs]))
		}
		for _, other := range others {
			for name, value := range other {
				result[join.name+"."+name] = value
			}
		}
	}
	return result, nil
}

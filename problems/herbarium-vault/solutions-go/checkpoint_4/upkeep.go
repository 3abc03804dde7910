package main

import "fmt"

func migrate(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		records, err := session.folder.migrate()
		if err != nil {
			return nil, err
		}
		return []string{fmt.Sprintf("migrated %d records", records)}, nil
	}, nil
}

func verify(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		reading, err := session.folder.verify()
		if err != nil {
			return nil, err
		}
		return []string{fmt.Sprintf("sound: %d records, last %d", len(reading.changes), reading.last)}, nil
	}, nil
}

func repair(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		reading, err := session.folder.repair()
		if err != nil {
			return nil, err
		}
		if reading.fault == nil {
			return []string{"nothing to repair"}, nil
		}
		return []string{fmt.Sprintf(
			"repaired: kept %d records, dropped %d bytes", len(reading.changes), reading.fault.excess,
		)}, nil
	}, nil
}

package main

import (
	"errors"
	"fmt"
)

// making makes a mark or an index; tell gives the reply from its name and version.
func making(kind noteKind, tell func(name string, number int) string) func(Words) (action, error) {
	return noting(kind, func(store *LogStore, name string) (string, error) {
		if store.catalog.has(kind, name) {
			return "", errors.New(kind.twice)
		}
		number, err := store.note(kind.makes, name)
		return tell(name, number), err
	})
}

func dropping(kind noteKind) func(Words) (action, error) {
	return noting(kind, func(store *LogStore, name string) (string, error) {
		if !store.catalog.has(kind, name) {
			return "", kind.missing(name)
		}
		_, err := store.note(kind.drops, name)
		return kind.dropped + " " + name, err
	})
}

// noting is a command on one mark or index, with its one line.
func noting(kind noteKind, note func(*LogStore, string) (string, error)) func(Words) (action, error) {
	return func(words Words) (action, error) {
		name := words.arguments[0]
		if err := kind.check(name); err != nil {
			return nil, err
		}
		return func(session *Session) ([]string, error) {
			store, err := session.folder.logStore()
			if err != nil {
				return nil, err
			}
			line, err := note(store, name)
			return []string{line}, err
		}, nil
	}
}

func markedLine(name string, number int) string { return fmt.Sprintf("marked %s at %d", name, number) }

func indexedLine(path string, _ int) string { return "indexed " + path }

func listMarks(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		store, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		var lines []string
		for _, name := range store.catalog.names(marks) {
			lines = append(lines, fmt.Sprintf("%s at %d", name, store.catalog[marks.makes][name]))
		}
		return append(lines, fmt.Sprintf("marks: %d", len(lines))), nil
	}, nil
}

func listIndexes(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		store, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		paths := store.catalog.names(indexes)
		return append(paths, fmt.Sprintf("indexes: %d", len(paths))), nil
	}, nil
}

func find(words Words) (action, error) {
	path, wanted := words.arguments[0], words.arguments[1]
	if err := indexes.check(path); err != nil {
		return nil, err
	}
	return func(session *Session) ([]string, error) {
		store, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		index, err := store.index(path)
		if err != nil {
			return nil, err
		}
		if transaction := session.transaction; transaction != nil {
			return recordLines(index.find(transaction, wanted, transaction.changed())), nil
		}
		return recordLines(index.find(store, wanted, nil)), nil
	}, nil
}

func findAt(words Words) (action, error) {
	number, err := readVersion(words.arguments[0])
	if err != nil {
		return nil, err
	}
	path, wanted := words.arguments[1], words.arguments[2]
	if err := indexes.check(path); err != nil {
		return nil, err
	}
	return func(session *Session) ([]string, error) {
		store, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		view, err := store.at(number)
		if err != nil {
			return nil, err
		}
		index, err := store.index(path)
		if err != nil {
			return nil, err
		}
		return recordLines(index.find(view, wanted, nil)), nil
	}, nil
}

func compact(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		store, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		left, err := store.compact()
		if err != nil {
			return nil, err
		}
		return []string{fmt.Sprintf("compacted: kept %d changes, dropped %d", len(left.kept), left.dropped)}, nil
	}, nil
}

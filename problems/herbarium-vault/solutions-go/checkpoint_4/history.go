package main

import "fmt"

// asOf is the version that a command asks for, if it asks for one.
type asOf struct {
	given  bool
	number int
}

func readAsOf(words Words) (asOf, error) {
	if !words.has("--as-of") {
		return asOf{}, nil
	}
	number, err := readVersion(words.options["--as-of"])
	return asOf{given: true, number: number}, err
}

// view is what a command looks at.
func (a asOf) view(session *Session) (View, error) {
	if !a.given {
		return session.store()
	}
	store, err := session.folder.logStore()
	if err != nil {
		return nil, err
	}
	return store.at(a.number)
}

// viewOf is what a command looks at that names one key.
func (a asOf) viewOf(session *Session, key string) (View, error) {
	if a.given {
		return a.view(session)
	}
	store, err := session.store()
	if err == nil {
		store.name(key)
	}
	return store, err
}

func version(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		store, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		return []string{fmt.Sprintf("version %d", store.versions.last)}, nil
	}, nil
}

func history(words Words) (action, error) {
	key := words.arguments[0]
	if err := checkKey(key); err != nil {
		return nil, err
	}
	limit, err := optionalLimit(words)
	if err != nil {
		return nil, err
	}
	return func(session *Session) ([]string, error) {
		store, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		changes := store.versions.changes[key]
		if len(changes) == 0 {
			return nil, fmt.Errorf("no record %s", key)
		}
		if limit != unlimited && limit < len(changes) {
			changes = changes[len(changes)-limit:]
		}
		return historyLines(changes), nil
	}, nil
}

// valueAt is the value that a record had at a committed version.
func valueAt(session *Session, key string, number int) (string, error) {
	log, err := session.folder.logStore()
	if err != nil {
		return "", err
	}
	old, err := log.at(number)
	if err != nil {
		return "", err
	}
	value, ok := old.value(key)
	if !ok {
		return "", fmt.Errorf("no record %s at %d", key, number)
	}
	return value, nil
}

func historyLines(changes []Change) []string {
	lines := make([]string, 0, len(changes)+1)
	for _, change := range changes {
		if change.deleted {
			lines = append(lines, fmt.Sprintf("%d del", change.sequence))
		} else {
			lines = append(lines, fmt.Sprintf("%d put %s", change.sequence, change.value))
		}
	}
	return append(lines, fmt.Sprintf("versions: %d", len(changes)))
}

func diff(words Words) (action, error) {
	from, err := readVersion(words.arguments[0])
	if err != nil {
		return nil, err
	}
	to, err := readVersion(words.arguments[1])
	if err != nil {
		return nil, err
	}
	return func(session *Session) ([]string, error) {
		store, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		before, err := store.at(from)
		if err != nil {
			return nil, err
		}
		after, err := store.at(to)
		if err != nil {
			return nil, err
		}
		return diffLines(before, differences(before, after, store.keys())), nil
	}, nil
}

func diffLines(before View, changes []Change) []string {
	lines := make([]string, 0, len(changes)+1)
	for _, change := range changes {
		sign := "+"
		value, was := before.value(change.key)
		if was && change.deleted {
			sign, change.value = "-", value
		} else if was {
			sign = "~"
		}
		lines = append(lines, fmt.Sprintf("%s %s\t%s", sign, change.key, change.value))
	}
	return append(lines, fmt.Sprintf("changes: %d", len(changes)))
}

func restore(words Words) (action, error) {
	key := words.arguments[0]
	if err := checkKey(key); err != nil {
		return nil, err
	}
	number, err := readVersion(words.arguments[1])
	if err != nil {
		return nil, err
	}
	return func(session *Session) ([]string, error) {
		value, err := valueAt(session, key, number)
		if err != nil {
			return nil, err
		}
		store, err := session.store()
		if err != nil {
			return nil, err
		}
		store.name(key)
		if present, ok := store.value(key); ok && present == value {
			return []string{"unchanged " + key}, nil
		}
		return []string{"restored " + key}, store.change([]Change{{key: key, value: value}})
	}, nil
}

package main

import "fmt"

func begin(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		begun, err := session.begin()
		if err != nil {
			return nil, err
		}
		return []string{fmt.Sprintf("begun at %d", begun.begunAt)}, nil
	}, nil
}

func commit(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		ended, err := session.end()
		if err != nil {
			return nil, err
		}
		changed, err := ended.commit()
		if err != nil {
			return nil, err
		}
		if !changed {
			return []string{"committed nothing"}, nil
		}
		return []string{fmt.Sprintf("committed at %d", ended.store.versions.last)}, nil
	}, nil
}

func rollback(Words) (action, error) {
	return func(session *Session) ([]string, error) {
		if _, err := session.end(); err != nil {
			return nil, err
		}
		return []string{"rolled back"}, nil
	}, nil
}

func revert(words Words) (action, error) {
	number, err := readVersion(words.arguments[0])
	if err != nil {
		return nil, err
	}
	return func(session *Session) ([]string, error) {
		log, err := session.folder.logStore()
		if err != nil {
			return nil, err
		}
		old, err := log.at(number)
		if err != nil {
			return nil, err
		}
		store, err := session.store()
		if err != nil {
			return nil, err
		}
		changes := differences(store, old, store.keys())
		reply := []string{fmt.Sprintf("reverted to %d: %d changes", number, len(changes))}
		return reply, store.change(changes)
	}, nil
}

package main

import (
	"fmt"
	"sort"
)

// Compaction is what is left of a log, and how much is dropped.
type Compaction struct {
	kept    []Change // by sequence number, then by key
	dropped int
}

// compact keeps, for each key and each needed version, the newest change up to that version.
func (v *Versions) compact(needed []int, keepDeletes bool) Compaction {
	var left Compaction
	for key, changes := range v.changes {
		kept := v.keptOf(key, needed)
		if len(kept) > 0 && kept[0].deleted && !keepDeletes {
			kept = kept[1:]
		}
		left.kept = append(left.kept, kept...)
		left.dropped += len(changes) - len(kept)
	}
	sort.Slice(left.kept, func(i, j int) bool {
		one, other := left.kept[i], left.kept[j]
		if one.sequence != other.sequence {
			return one.sequence < other.sequence
		}
		return one.key < other.key
	})
	return left
}

// keptOf is the changes of a key that decide its value at one of the versions, in ascending order.
func (v *Versions) keptOf(key string, needed []int) []Change {
	var kept []Change
	for _, number := range needed {
		change, ok := v.newest(key, number)
		if ok && (len(kept) == 0 || kept[len(kept)-1].sequence != change.sequence) {
			kept = append(kept, change)
		}
	}
	return kept
}

// compactedPayloads are all entries of a log that was compacted.
func compactedPayloads(base int, changes []Change, notes []Entry) []string {
	if base == 0 {
		return nil
	}
	payloads := []string{basePayload(base)}
	sort.Slice(notes, func(i, j int) bool { return notes[i].sequence < notes[j].sequence })
	for len(changes) > 0 || len(notes) > 0 {
		if len(changes) == 0 || len(notes) > 0 && notes[0].sequence < changes[0].sequence {
			payloads = append(payloads, notes[0].payload())
			notes = notes[1:]
			continue
		}
		size := sort.Search(len(changes), func(at int) bool {
			return changes[at].sequence > changes[0].sequence
		})
		payloads = append(payloads, versionPayloads(changes[:size])...)
		changes = changes[size:]
	}
	return payloads
}

func basePayload(base int) string { return fmt.Sprintf("%d base", base) }

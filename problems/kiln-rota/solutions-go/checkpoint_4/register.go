package main

// Register has things of one kind by id, in the order in which they were added.
type Register[T any] struct {
	kind string
	byID map[string]*T
	all  []*T
}

func newRegister[T any](kind string) *Register[T] {
	return &Register[T]{kind: kind, byID: map[string]*T{}}
}

func (r *Register[T]) add(id string, thing *T) {
	r.byID[id] = thing
	r.all = append(r.all, thing)
}

func (r *Register[T]) has(id string) bool { return r.byID[id] != nil }

func (r *Register[T]) find(id string) (*T, error) {
	thing := r.byID[id]
	if thing == nil {
		return nil, missing(r.kind)
	}
	return thing, nil
}

// next is the number of the next thing.
func (r *Register[T]) next() int { return len(r.all) + 1 }

// where gives the things for which a condition holds.
func (r *Register[T]) where(holds func(*T) bool) []*T {
	var found []*T
	for _, thing := range r.all {
		if holds(thing) {
			found = append(found, thing)
		}
	}
	return found
}

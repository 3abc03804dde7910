package main

import (
	"fmt"
	"strings"
)

// Resolver lays the lines of each key upon each other and follows references. It has the value of each
// key, nil where there is a fault, and the lines that have a say in it.
type Resolver struct {
	layers *Layers
	stacks map[Key][]*Setting
	values map[Key]*Value
	says   map[Key]map[*Setting]bool
	faults []Fault
	// path has the keys whose visit has not ended, and via the lines by which they refer to the next.
	path []Key
	via  map[Key]*Setting
}

func resolve(layers *Layers) *Resolver {
	resolver := &Resolver{
		layers: layers,
		stacks: layers.stacks,
		values: map[Key]*Value{},
		says:   map[Key]map[*Setting]bool{},
		via:    map[Key]*Setting{},
	}
	for _, key := range sortedKeys(layers.stacks) {
		resolver.value(key)
	}
	return resolver
}

func (r *Resolver) value(key Key) *Value {
	if value, known := r.values[key]; known {
		return value
	}
	r.path = append(r.path, key)
	r.says[key] = map[*Setting]bool{}
	value := r.settle(key, len(r.stacks[key]))
	r.path = r.path[:len(r.path)-1]
	r.values[key] = r.measured(key, value)
	return r.values[key]
}

func (r *Resolver) measured(key Key, value *Value) *Value {
	if value == nil || !value.isTooLong() {
		return value
	}
	return r.fault(key, r.strongest(key), "%s is too long", key)
}

// strongest is the strongest line that has a say in the value of a key.
func (r *Resolver) strongest(key Key) *Setting {
	stack := r.stacks[key]
	at := len(stack) - 1
	for !r.says[key][stack[at]] {
		at--
	}
	return stack[at]
}

// fault notes a fault; what has it has no value.
func (r *Resolver) fault(key Key, setting *Setting, format string, words ...any) *Value {
	r.faults = append(r.faults, Fault{setting.Place, key, fmt.Sprintf(format, words...)})
	return nil
}

// settle is the value that a key has by as many of its weakest lines.
func (r *Resolver) settle(key Key, count int) *Value {
	line := Layer{r, key, count, r.stacks[key][count-1]}
	r.says[key][line.setting] = true
	if line.setting.Sign == signSet {
		return r.ofRightKind(key, line.setting, line.value(line.setting.Value))
	}
	base := &Value{Kind: kindList}
	if count > 1 {
		base = r.settle(key, count-1)
	}
	items, ok := line.items(line.setting.Value)
	if base == nil || !ok {
		return nil
	}
	return &Value{Kind: kindList, Items: changed(base.Items, line.setting.Sign, items)}
}

func changed(base []Value, sign string, items []Value) []Value {
	if sign == signRemove {
		return without(base, items)
	}
	return append(append([]Value{}, base...), items...)
}

func (r *Resolver) ofRightKind(key Key, setting *Setting, value *Value) *Value {
	expected := r.layers.expected(key)
	if value == nil || expected.kind == "" || value.Kind == expected.kind {
		return value
	}
	r.faults = append(r.faults, expected.fault(key, setting, value.Kind))
	return nil
}

// refer is the value of a target to which a line of a key refers.
func (r *Resolver) refer(key Key, setting *Setting, target Key) *Value {
	r.via[key] = setting
	if _, found := r.stacks[target]; !found {
		return r.fault(key, setting, "%s refers to %s, which has no value", key, target)
	}
	for at, visited := range r.path {
		if visited == target {
			return r.tellCycle(r.path[at:])
		}
	}
	return r.value(target)
}

func (r *Resolver) tellCycle(cycle []Key) *Value {
	start := 0
	for at, key := range cycle {
		if key.before(cycle[start]) {
			start = at
		}
	}
	var names []string
	for at := range cycle {
		names = append(names, string(cycle[(start+at)%len(cycle)]))
	}
	key := cycle[start]
	names = append(names, string(key))
	return r.fault(key, r.via[key], "cycle: %s", strings.Join(names, " -> "))
}

// Layer turns what a line says into values; count is the place of the line in the stack of its key.
type Layer struct {
	resolver *Resolver
	key      Key
	count    int
	setting  *Setting
}

func (l Layer) value(written Written) *Value {
	switch written.Kind {
	case kindReference:
		return l.referred(written.Target)
	case kindText:
		return l.text(written)
	case kindList:
		items, ok := l.items(written)
		if !ok {
			return nil
		}
		return &Value{Kind: kindList, Items: items}
	}
	return &written.Value
}

func (l Layer) referred(target Key) *Value {
	if target != below {
		return l.resolver.refer(l.key, l.setting, target)
	}
	if l.count > 1 {
		return l.resolver.settle(l.key, l.count-1)
	}
	return l.resolver.fault(l.key, l.setting, "%s has nothing below", l.key)
}

func (l Layer) text(written Written) *Value {
	if len(written.Parts) == 0 {
		return &written.Value
	}
	pieces, ok := l.all(written.Parts)
	if !ok {
		return nil
	}
	found := &Value{Kind: kindText}
	for _, piece := range pieces {
		found.Text += piece.characters()
	}
	return found
}

// items has the values for which an item or a list stands.
func (l Layer) items(written Written) (items []Value, ok bool) {
	parts := []Written{written}
	if written.Kind == kindList {
		parts = written.Parts
	}
	found, ok := l.all(parts)
	for _, value := range found {
		if value.Kind == kindList {
			items = append(items, value.Items...)
		} else {
			items = append(items, value)
		}
	}
	return items, ok
}

// all has the values of all parts; it is not ok if one of them has none.
func (l Layer) all(parts []Written) (values []Value, ok bool) {
	ok = true
	for _, part := range parts {
		if value := l.value(part); value != nil {
			values = append(values, *value)
		} else {
			ok = false
		}
	}
	return values, ok
}

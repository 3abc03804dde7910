package main

import "sort"

// Closures are the windows in which sections are closed, by the names of the sections.
type Closures map[string][]Window

func (c Closures) add(section string, window Window) {
	c[section] = append(c[section], window)
}

// lift ends all closures of the section, and those to come.
func (c Closures) lift(section string) { delete(c, section) }

func (c Closures) closed(section string, minute int) bool {
	for _, window := range c[section] {
		if window.holdsAt(minute) {
			return true
		}
	}
	return false
}

// closedAt names all sections that are closed in the minute, in order.
func (c Closures) closedAt(minute int) []string {
	var names []string
	for name := range c {
		if c.closed(name, minute) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// nextEnd is the first minute after the given one in which a closure ends, or never.
func (c Closures) nextEnd(minute int) int {
	next := never
	for _, windows := range c {
		for _, window := range windows {
			if window.until > minute && (next == never || window.until < next) {
				next = window.until
			}
		}
	}
	return next
}

package main

import "fmt"

// NoteNumbers numbers the texts of notes in the order in which cells refer to them.
type NoteNumbers struct {
	texts  []string
	number map[string]int
}

func numberNotes(items []Item) *NoteNumbers {
	numbers := &NoteNumbers{number: map[string]int{}}
	for _, item := range items {
		row, _ := item.(Row)
		for _, cell := range row.cells {
			numbers.add(cell.notes)
		}
	}
	return numbers
}

func (n *NoteNumbers) add(texts []string) {
	for _, text := range texts {
		if n.number[text] == 0 {
			n.texts = append(n.texts, text)
			n.number[text] = len(n.texts)
		}
	}
}

func (n *NoteNumbers) label(text string) string { return fmt.Sprintf("[%d]", n.number[text]) }

func (n *NoteNumbers) lines() []string {
	var lines []string
	for _, text := range n.texts {
		lines = append(lines, n.label(text)+" "+text)
	}
	return lines
}

// mark gives cells the numbers of their notes.
func (n *NoteNumbers) mark(cells []Cell) []Cell {
	var marked []Cell
	for _, cell := range cells {
		marked = append(marked, cell.marked(n))
	}
	return marked
}

// notesOf are the texts of the notes of a cell, each once.
func notesOf(section *Section, column *Column, entry *Entry) []string {
	var texts []string
	for _, note := range section.notes {
		if note.field == column.field && note.isMetBy(entry.records) && !contains(texts, note.text) {
			texts = append(texts, note.text)
		}
	}
	return texts
}

func (n Note) isMetBy(records []Record) bool {
	for _, record := range records {
		if n.condition.holds(record) {
			return true
		}
	}
	return false
}

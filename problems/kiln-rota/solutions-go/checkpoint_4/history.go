package main

// Event is something that has happened.
type Event struct {
	Seq    int    `json:"seq"`
	At     int    `json:"at"`
	What   string `json:"what"`
	ID     string `json:"id"`
	Firing string `json:"firing,omitempty"`
	Kiln   string `json:"kiln,omitempty"`
	Starts *int   `json:"starts,omitempty"`
}

// note adds to the history what has just happened to a thing.
func (s *Studio) note(what, id string) { s.noteEvent(Event{What: what, ID: id}) }

// noteEvent adds an event at the present minute to the history.
func (s *Studio) noteEvent(event Event) {
	event.Seq = len(s.history) + 1
	event.At = s.now
	s.history = append(s.history, event)
}

// eventsAfter gives the events after a number, of one thing if an id is given.
func (s *Studio) eventsAfter(number int, id string) []Event {
	events := []Event{}
	for _, event := range s.history {
		if event.Seq > number && (id == "" || event.ID == id) {
			events = append(events, event)
		}
	}
	return events
}

package main

import "fmt"

// leadMinutes is the time before its start at which a firing of a series is planned.
const leadMinutes = 1440

// Series is a firing that comes again and again.
type Series struct {
	ID   string `json:"id"`
	Kiln string `json:"kiln"`
	Heating
	Start   int    `json:"start"`
	Member  string `json:"member,omitempty"`
	Every   int    `json:"every"`
	Times   int    `json:"times,omitempty"` // 0 if it has no end
	State   string `json:"state"`
	Settled int    `json:"settled"`
	Next    int    `json:"next,omitempty"`
}

func (s *Studio) addSeries(fields Fields) (*Series, error) {
	order, err := s.orderOf(fields)
	if err != nil {
		return nil, err
	}
	if order.start <= s.now {
		return nil, conflict("in-the-past")
	}
	if order.heating.Heat > order.kiln.MaxHeat {
		return nil, conflict("too-hot", "max_heat", order.kiln.MaxHeat)
	}
	series := &Series{
		ID:      fmt.Sprintf("S%d", s.series.next()),
		Kiln:    order.kiln.ID,
		Heating: order.heating,
		Start:   order.start,
		Member:  order.member,
		Every:   fields.number("every"),
		Times:   fields.number("times"),
		State:   "running",
		Next:    order.start,
	}
	s.series.add(series.ID, series)
	s.note("series-added", series.ID)
	s.settle(series)
	return series, nil
}

// dueMinute is the minute at which the next firing is planned.
func (s *Series) dueMinute() int { return s.Next - leadMinutes }

// settle plans or skips all firings that are due for it.
func (s *Studio) settle(series *Series) {
	for series.State == "running" && series.dueMinute() <= s.now {
		s.planOrSkip(series)
		series.Settled++
		series.Next += series.Every
		series.closeIfSettled()
	}
}

func (s *Studio) planOrSkip(series *Series) {
	order := Order{
		kiln:    s.kilns.byID[series.Kiln],
		heating: series.Heating,
		start:   series.Next,
		member:  series.Member,
		series:  series.ID,
		number:  series.Settled + 1,
	}
	if order.start > s.now {
		if _, err := s.fire(order); err == nil {
			return
		}
	}
	s.noteEvent(Event{What: "series-skipped", ID: series.ID, Number: order.number})
}

func (s *Series) closeIfSettled() {
	if s.Times > 0 && s.Settled == s.Times {
		s.State, s.Next = "done", 0
	}
}

func (s *Studio) changeSeries(series *Series, fields Fields) error {
	if series.State != "running" {
		return conflict("series-over")
	}
	if fields["times"] != nil && fields.number("times") < series.Settled {
		return conflict("too-few", "settled", series.Settled)
	}
	every := fields.numberOr("every", series.Every)
	if series.Settled > 0 {
		series.Next += every - series.Every
	}
	series.Every = every
	if fields.has("times") {
		series.Times = fields.number("times")
	}
	s.note("series-changed", series.ID)
	series.closeIfSettled()
	s.settle(series)
	return nil
}

func (s *Studio) cancelSeries(series *Series) error {
	if series.State != "running" {
		return conflict("series-over")
	}
	series.State, series.Next = "cancelled", 0
	s.note("series-cancelled", series.ID)
	for _, firing := range s.firings.all {
		if firing.Series != series.ID || firing.State != "planned" && firing.State != "stranded" {
			continue
		}
		if err := s.cancelFiring(firing); err != nil {
			return err
		}
	}
	return nil
}

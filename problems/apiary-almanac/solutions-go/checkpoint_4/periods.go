package main

import (
	"fmt"
	"time"
)

const (
	dateForm     = "2006-01-02"
	earliestYear = 1000
)

var seasons = []string{"winter", "spring", "summer", "autumn"}

// Size is a size of periods.
type Size struct {
	first               func(day time.Time) time.Time // the first day of the period of a day
	label               func(first time.Time) string
	years, months, days int // the time to the next period
}

var sizes = map[string]Size{
	"day": {
		first: func(day time.Time) time.Time { return day },
		label: func(first time.Time) string { return first.Format(dateForm) },
		days:  1,
	},
	"week": {
		first: func(day time.Time) time.Time { return day.AddDate(0, 0, -(int(day.Weekday())+6)%7) },
		label: weekLabel,
		days:  7,
	},
	"month": {
		first:  func(day time.Time) time.Time { return monthStart(day.Year(), day.Month()) },
		label:  func(first time.Time) string { return first.Format("2006-01") },
		months: 1,
	},
	"season": {
		first:  func(day time.Time) time.Time { return monthStart(day.Year(), day.Month()-day.Month()%3) },
		label:  seasonLabel,
		months: 3,
	},
	"year": {
		first: func(day time.Time) time.Time { return monthStart(day.Year(), time.January) },
		label: func(first time.Time) string { return first.Format("2006") },
		years: 1,
	},
}

func monthStart(year int, month time.Month) time.Time {
	return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
}

func weekLabel(first time.Time) string {
	year, week := first.ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}

// seasonLabel counts December to the winter of the next year.
func seasonLabel(first time.Time) string {
	month := int(first.Month())
	return fmt.Sprintf("%04d %s", first.Year()+month/12, seasons[month%12/3])
}

func (s Size) starting(first time.Time) Period { return Period{s.label(first), first} }

// of gives the period that contains a date, or nil if the value is not a date.
func (s Size) of(value Value) Value {
	text, ok := value.(Text)
	if !ok {
		return nil
	}
	day, err := time.Parse(dateForm, string(text))
	if err != nil || day.Year() < earliestYear {
		return nil
	}
	return s.starting(s.first(day))
}

// between gives all periods from one to another.
func (s Size) between(first, last Period) []Period {
	var periods []Period
	for day := first.first; !day.After(last.first); day = day.AddDate(s.years, s.months, s.days) {
		periods = append(periods, s.starting(day))
	}
	return periods
}

package main

import (
	"fmt"
	"regexp"
	"strconv"
)

const (
	minutesPerHour = 60
	minutesPerDay  = 24 * minutesPerHour
)

// never is no minute: that of what has not happened.
const never = -1

var timeForm = regexp.MustCompile(`^(?:([0-9]{1,4})d)?([01][0-9]|2[0-3]):([0-5][0-9])$`)

// parseTime gives the minutes since the start of day 0.
func parseTime(text string) (minute int, ok bool) {
	parts := timeForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	return digits(parts[1])*minutesPerDay + digits(parts[2])*minutesPerHour + digits(parts[3]), true
}

// digits reads what a pattern has found to be digits, or nothing, which is 0.
func digits(text string) int {
	number, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return number
}

// written is the minute as it is printed, such as 3d07:45.
func written(minute int) string {
	day, rest := minute/minutesPerDay, minute%minutesPerDay
	return fmt.Sprintf("%dd%02d:%02d", day, rest/minutesPerHour, rest%minutesPerHour)
}

package main

const (
	roomHeat = 20
	openHeat = 60
)

// Leg is what a kiln makes of a stage.
type Leg struct {
	start int
	heat  int
	rate  int
	climb int // minutes until the heat is reached
	hold  int
}

func legsOf(kiln *Kiln, stages []Stage) []Leg {
	var legs []Leg
	heat := roomHeat
	for _, stage := range stages {
		leg := Leg{start: heat, heat: stage.Heat, rate: rateOf(kiln, stage, heat), hold: stage.Hold}
		leg.climb = minutesFor(leg.heat-leg.start, leg.rate)
		legs = append(legs, leg)
		heat = stage.Heat
	}
	return legs
}

// rateOf is the rate of a stage that starts at a heat.
func rateOf(kiln *Kiln, stage Stage, heat int) int {
	own := kiln.Rate
	if stage.Heat < heat {
		own = kiln.Cooling
	}
	if own == 0 || own > stage.Rate {
		return stage.Rate
	}
	return own
}

// minutesFor counts a part of a minute as a whole minute.
func minutesFor(degrees, rate int) int {
	if degrees < 0 {
		degrees = -degrees
	}
	return (degrees + rate - 1) / rate
}

func heatingMinutes(kiln *Kiln, stages []Stage) int {
	minutes := 0
	for _, leg := range legsOf(kiln, stages) {
		minutes += leg.climb + leg.hold
	}
	return minutes
}

// heatAfter is the heat of a kiln so many minutes after the start of a firing.
func heatAfter(kiln *Kiln, stages []Stage, minutes int) int {
	heat := roomHeat
	for _, leg := range legsOf(kiln, stages) {
		if minutes < leg.climb {
			return leg.heatAfter(minutes)
		}
		heat = leg.heat
		minutes -= leg.climb + leg.hold
		if minutes < 0 {
			break
		}
	}
	return heat
}

// heatAfter is the heat in the minutes of the climb.
func (l Leg) heatAfter(minutes int) int {
	if l.heat > l.start {
		return l.start + l.rate*minutes
	}
	return l.start - l.rate*minutes
}

// coolingMinutes is the time until a kiln of a heat can be opened.
func coolingMinutes(kiln *Kiln, heat int) int {
	if kiln.Cooling == 0 || heat <= openHeat {
		return 0
	}
	return minutesFor(heat-openHeat, kiln.Cooling)
}

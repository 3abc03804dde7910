package main

func getClock(studio *Studio, _ Call) (Reply, error) {
	return ok(map[string]int{"now": studio.now})
}

func postClock(studio *Studio, call Call) (Reply, error) {
	studio.moveClock(call.fields.number("by"))
	return getClock(studio, call)
}

func postKiln(studio *Studio, call Call) (Reply, error) {
	kiln := &Kiln{
		ID:      call.fields.text("id"),
		Room:    call.fields.number("room"),
		MaxHeat: call.fields.number("max_heat"),
		Rate:    call.fields.number("rate"),
		Cooling: call.fields.number("cooling"),
	}
	if err := studio.addKiln(kiln); err != nil {
		return Reply{}, err
	}
	return created(studio.viewKiln(kiln))
}

func getKilns(studio *Studio, _ Call) (Reply, error) {
	return ok(map[string]any{"kilns": studio.viewKilns()})
}

func getKiln(studio *Studio, call Call) (Reply, error) {
	kiln, err := studio.kilns.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(studio.viewKiln(kiln))
}

func getPlan(studio *Studio, call Call) (Reply, error) {
	kiln, err := studio.kilns.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(map[string]any{"plan": studio.planOf(kiln)})
}

func postBreak(studio *Studio, call Call) (Reply, error) {
	return withKiln(studio, call, studio.breakKiln)
}

func postRepair(studio *Studio, call Call) (Reply, error) {
	return withKiln(studio, call, studio.repairKiln)
}

// withKiln does something with a kiln, and shows it.
func withKiln(studio *Studio, call Call, do func(kiln *Kiln) error) (Reply, error) {
	kiln, err := studio.kilns.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	if err := do(kiln); err != nil {
		return Reply{}, err
	}
	return ok(studio.viewKiln(kiln))
}

func postProgramme(studio *Studio, call Call) (Reply, error) {
	programme := programmeOf(call.fields)
	if err := studio.addProgramme(programme); err != nil {
		return Reply{}, err
	}
	return created(programme)
}

func getProgrammes(studio *Studio, _ Call) (Reply, error) {
	return ok(map[string]any{"programmes": studio.programmesByID()})
}

func getProgramme(studio *Studio, call Call) (Reply, error) {
	programme, err := studio.programmes.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(programme)
}

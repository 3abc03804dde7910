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

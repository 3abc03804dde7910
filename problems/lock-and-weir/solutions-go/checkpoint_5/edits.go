package main

import "fmt"

var (
	rankOptions   = []Option{required("value", number(lowestRank, highestRank))}
	refillOptions = []Option{required("value", number(1, 999999))}
)

// Edits reads changes to a simulation that has come to a halt, and carries them out.
type Edits struct {
	*Reader
	simulation *Simulation
}

func applyEdits(simulation *Simulation, text string) error {
	edits := &Edits{Reader: newReader(simulation.scenario), simulation: simulation}
	edits.words = map[string]word{
		"boat":    {boatOptions, edits.addBoat},
		"closure": {windowOptions, edits.readClosure},
		"reserve": {reservationOptions, edits.readReservation},
		"open":    {nil, edits.openSection},
		"cancel":  {nil, edits.cancelBoat},
		"rank":    {rankOptions, edits.changeRank},
		"refill":  {refillOptions, edits.changeRefill},
	}
	if err := edits.readAll(text); err != nil {
		return err
	}
	simulation.wakeAll()
	return nil
}

func (e *Edits) addBoat(name string, values Values) error {
	if err := e.readBoat(name, values); err != nil {
		return err
	}
	boat := e.scenario.boat(name)
	if boat.departs <= e.simulation.now {
		return fmt.Errorf("boat %s departs too early", name)
	}
	if err := checkWay(e.simulation.network, boat); err != nil {
		return err
	}
	e.simulation.voyages = append(e.simulation.voyages, newVoyage(boat))
	return nil
}

func (e *Edits) openSection(name string, _ Values) error {
	if err := e.checkSection(name); err != nil {
		return err
	}
	e.scenario.closures.lift(name)
	return nil
}

func (e *Edits) cancelBoat(name string, _ Values) error {
	boat, err := e.knownBoat(name)
	if err != nil {
		return err
	}
	if e.simulation.voyage(name).Departed != never {
		return fmt.Errorf("boat %s has departed", name)
	}
	e.scenario.cancel(boat)
	e.simulation.dropVoyage(name)
	return nil
}

func (e *Edits) changeRank(name string, values Values) error {
	boat, err := e.knownBoat(name)
	if err != nil {
		return err
	}
	boat.rank = values["value"].number
	return nil
}

func (e *Edits) changeRefill(name string, values Values) error {
	reservoir := e.scenario.reservoir(name)
	if reservoir == nil {
		return fmt.Errorf("no reservoir '%s'", name)
	}
	e.simulation.storeOf[reservoir].refresh(e.simulation.now)
	reservoir.refill = values["value"].number
	return nil
}

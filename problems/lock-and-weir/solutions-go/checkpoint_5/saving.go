package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

const stateFormat = "canal state 1"

// State is what a saved state holds: the text of the scenario, and all that moves, by name.
type State struct {
	Format   string                  `json:"format"`
	Minute   int                     `json:"minute"`
	Scenario string                  `json:"scenario"`
	Voyages  map[string]VoyageState  `json:"voyages"`
	Chambers map[string]ChamberState `json:"chambers"`
	Stores   map[string]Filling      `json:"stores"`
}

// VoyageState is a boat's progress and plan.
type VoyageState struct {
	Progress
	Plan []StepState `json:"plan"`
}

// StepState is a step, with the name of its section.
type StepState struct {
	Section   string    `json:"section"`
	Direction Direction `json:"direction"`
	Stop      string    `json:"stop"`
}

// ChamberState is the workings of a lock, and the names of the boats in its queue.
type ChamberState struct {
	Workings
	Queue []string `json:"queue"`
}

var errNoState = errors.New("no saved state")

// saveState writes the simulation as it is at the end of its minute.
func saveState(path string, s *Simulation) error {
	state := State{
		Format:   stateFormat,
		Minute:   s.now,
		Scenario: s.scenario.text,
		Voyages:  map[string]VoyageState{},
		Chambers: map[string]ChamberState{},
		Stores:   map[string]Filling{},
	}
	for _, voyage := range s.voyages {
		state.Voyages[voyage.boat.name] = voyage.state()
	}
	for _, chamber := range s.chambers {
		state.Chambers[chamber.lock.name] = chamber.state()
	}
	for _, store := range s.stores {
		state.Stores[store.reservoir.name] = store.Filling
	}
	text, err := json.Marshal(state)
	if err != nil {
		return fmt.Errorf("cannot write %s", path)
	}
	return writeText(path, string(text))
}

func (v *Voyage) state() VoyageState {
	state := VoyageState{Progress: v.Progress}
	for _, step := range v.plan {
		state.Plan = append(state.Plan, StepState{step.section.title(), step.direction, step.stop})
	}
	return state
}

func (c *Chamber) state() ChamberState {
	state := ChamberState{Workings: c.Workings}
	for _, voyage := range c.queue {
		state.Queue = append(state.Queue, voyage.boat.name)
	}
	return state
}

// loadState gives the simulation as it was saved.
func loadState(path string) (*Simulation, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	simulation, err := restore(text)
	if err != nil {
		return nil, fmt.Errorf("%s is not a saved state", path)
	}
	return simulation, nil
}

func restore(text string) (*Simulation, error) {
	var state State
	if err := json.Unmarshal([]byte(text), &state); err != nil {
		return nil, err
	}
	if state.Format != stateFormat {
		return nil, errNoState
	}
	scenario, err := parseScenario(state.Scenario)
	if err != nil {
		return nil, err
	}
	simulation := newSimulation(scenario)
	simulation.now = state.Minute
	if err := simulation.restore(state); err != nil {
		return nil, err
	}
	simulation.rebuildAgenda()
	return simulation, nil
}

func (s *Simulation) restore(state State) error {
	for _, voyage := range s.voyages {
		if err := voyage.restore(state, s.scenario); err != nil {
			return err
		}
	}
	for _, chamber := range s.chambers {
		if err := s.restoreChamber(chamber, state); err != nil {
			return err
		}
	}
	for _, store := range s.stores {
		filling, ok := state.Stores[store.reservoir.name]
		if !ok {
			return errNoState
		}
		store.Filling = filling
	}
	return nil
}

func (v *Voyage) restore(state State, scenario *Scenario) error {
	saved, ok := state.Voyages[v.boat.name]
	if !ok {
		return errNoState
	}
	v.Progress = saved.Progress
	v.plan = nil
	for _, step := range saved.Plan {
		section := scenario.section(step.Section)
		if section == nil {
			return errNoState
		}
		v.plan = append(v.plan, Step{section, step.Direction, step.Stop})
	}
	return nil
}

func (s *Simulation) restoreChamber(chamber *Chamber, state State) error {
	saved, ok := state.Chambers[chamber.lock.name]
	if !ok {
		return errNoState
	}
	chamber.Workings = saved.Workings
	for _, name := range saved.Queue {
		voyage := s.voyage(name)
		if voyage == nil {
			return errNoState
		}
		chamber.queue = append(chamber.queue, voyage)
	}
	return nil
}

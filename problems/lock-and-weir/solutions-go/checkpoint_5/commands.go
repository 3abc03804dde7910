package main

import "fmt"

var commands = []Command{
	{
		name:        "log",
		positionals: []string{"SCENARIO"},
		options:     []string{"--until", "--save"},
		run:         showLog,
	},
	{name: "summary", positionals: []string{"SCENARIO"}, run: showSummary},
	{name: "routes", positionals: []string{"SCENARIO"}, run: showRoutes},
	{
		name:        "resume",
		positionals: []string{"STATE"},
		options:     []string{"--until", "--save"},
		run:         resume,
	},
	{name: "status", positionals: []string{"STATE"}, run: showStatus},
	{
		name:        "what-if",
		positionals: []string{"STATE", "EDITS"},
		options:     []string{"--until"},
		run:         showWhatIf,
	},
}

func showLog(given arguments) ([]string, error) {
	until, err := untilMinute(given)
	if err != nil {
		return nil, err
	}
	scenario, err := loadScenario(given["SCENARIO"])
	if err != nil {
		return nil, err
	}
	return runAndSave(newSimulation(scenario), until, given)
}

func showSummary(given arguments) ([]string, error) {
	scenario, err := loadScenario(given["SCENARIO"])
	if err != nil {
		return nil, err
	}
	simulation := newSimulation(scenario)
	simulation.run(never)
	return summaryLines(simulation), nil
}

func showRoutes(given arguments) ([]string, error) {
	scenario, err := loadScenario(given["SCENARIO"])
	if err != nil {
		return nil, err
	}
	return routeLines(scenario), nil
}

func resume(given arguments) ([]string, error) {
	until, err := untilMinute(given)
	if err != nil {
		return nil, err
	}
	simulation, err := loadStateBefore(given["STATE"], until)
	if err != nil {
		return nil, err
	}
	return runAndSave(simulation, until, given)
}

func showStatus(given arguments) ([]string, error) {
	simulation, err := loadState(given["STATE"])
	if err != nil {
		return nil, err
	}
	return summaryLines(simulation), nil
}

func showWhatIf(given arguments) ([]string, error) {
	until, err := untilMinute(given)
	if err != nil {
		return nil, err
	}
	base, err := loadStateBefore(given["STATE"], until)
	if err != nil {
		return nil, err
	}
	branch, err := loadState(given["STATE"])
	if err != nil {
		return nil, err
	}
	text, err := readText(given["EDITS"])
	if err != nil {
		return nil, err
	}
	if err := applyEdits(branch, text); err != nil {
		return nil, err
	}
	base.run(until)
	branch.run(until)
	return differenceLines(base.events, branch.events), nil
}

// untilMinute is what --until tells, or never.
func untilMinute(given arguments) (int, error) {
	text, ok := given["--until"]
	if !ok {
		return never, nil
	}
	minute, ok := parseTime(text)
	if !ok {
		return never, fmt.Errorf("bad time '%s'", text)
	}
	return minute, nil
}

// loadStateBefore loads a state that is to go on until a later minute, or to the end.
func loadStateBefore(path string, until int) (*Simulation, error) {
	simulation, err := loadState(path)
	if err != nil {
		return nil, err
	}
	if until != never && until <= simulation.now {
		return nil, fmt.Errorf("state is already at %s", written(simulation.now))
	}
	return simulation, nil
}

func runAndSave(simulation *Simulation, until int, given arguments) ([]string, error) {
	simulation.run(until)
	if path, ok := given["--save"]; ok {
		if err := saveState(path, simulation); err != nil {
			return nil, err
		}
	}
	return logLines(simulation.events), nil
}

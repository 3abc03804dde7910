package main

var commands = []Command{
	{name: "log", positionals: []string{"SCENARIO"}, run: showLog},
	{name: "summary", positionals: []string{"SCENARIO"}, run: showSummary},
}

func showLog(given arguments) ([]string, error) {
	simulation, err := simulated(given["SCENARIO"])
	if err != nil {
		return nil, err
	}
	return logLines(simulation.events), nil
}

func showSummary(given arguments) ([]string, error) {
	simulation, err := simulated(given["SCENARIO"])
	if err != nil {
		return nil, err
	}
	return summaryLines(simulation), nil
}

// simulated runs the scenario of the file to its end.
func simulated(path string) (*Simulation, error) {
	scenario, err := loadScenario(path)
	if err != nil {
		return nil, err
	}
	simulation := newSimulation(scenario)
	simulation.run()
	return simulation, nil
}

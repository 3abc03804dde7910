// The commands of the program.

import type { Arguments, Command } from './args'
import { readText } from './files'
import { Network } from './network'
import { logLines, routeLines, summaryLines } from './report'
import { parseScenario } from './scenario'
import { Simulation } from './simulation'

function simulated ({ scenario }: Arguments): Simulation {
  const simulation = new Simulation(parseScenario(readText(scenario)))
  simulation.run()
  return simulation
}

export const COMMANDS = new Map<string, Command>([
  ['log', { positionals: ['scenario'], run: args => logLines(simulated(args).events) }],
  ['summary', { positionals: ['scenario'], run: args => summaryLines(simulated(args)) }],
  ['routes', { positionals: ['scenario'], run: showRoutes }]
])

function showRoutes (args: Arguments): string[] {
  const scenario = parseScenario(readText(args.scenario))
  return routeLines(scenario, new Network(scenario.canals))
}

// The commands of the program.

import type { Arguments, Command } from './args'
import { readText } from './files'
import { logLines, summaryLines } from './report'
import { parseScenario } from './scenario'
import { Simulation } from './simulation'

function simulated ({ scenario }: Arguments): Simulation {
  const simulation = new Simulation(parseScenario(readText(scenario)))
  simulation.run()
  return simulation
}

export const COMMANDS = new Map<string, Command>([
  ['log', { positionals: ['scenario'], run: args => logLines(simulated(args).events) }],
  ['summary', { positionals: ['scenario'], run: args => summaryLines(simulated(args)) }]
])

// The commands of the program.

import type { Arguments, Command } from './args'
import { Edits } from './edits'
import { CanalError } from './errors'
import { readText } from './files'
import { Network } from './network'
import { differenceLines, logLines, routeLines, summaryLines } from './report'
import { load, save } from './saving'
import { parseScenario } from './scenario'
import { Simulation } from './simulation'
import { parseTime, written } from './times'

/** The last minute to simulate, if there is one. */
function untilMinute ({ until }: Arguments): number | undefined {
  if (until === undefined) return undefined
  const minute = parseTime(until)
  if (minute === undefined) throw new CanalError(`bad time '${until}'`)
  return minute
}

function checkLater ({ now }: Simulation, until?: number): void {
  if (until !== undefined && until <= now) throw new CanalError(`state is already at ${written(now)}`)
}

function runAndSave ({ save: file }: Arguments, text: string, simulation: Simulation, until?: number): string[] {
  simulation.run(until)
  if (file !== undefined) save(file, text, simulation)
  return logLines(simulation.events)
}

function showLog (args: Arguments): string[] {
  const until = untilMinute(args)
  const text = readText(args.scenario!)
  return runAndSave(args, text, new Simulation(parseScenario(text)), until)
}

function showSummary (args: Arguments): string[] {
  const simulation = new Simulation(parseScenario(readText(args.scenario!)))
  simulation.run()
  return summaryLines(simulation)
}

function showRoutes (args: Arguments): string[] {
  const scenario = parseScenario(readText(args.scenario!))
  return routeLines(scenario, new Network(scenario.canals))
}

function resume (args: Arguments): string[] {
  const until = untilMinute(args)
  const { text, simulation } = load(args.state!)
  checkLater(simulation, until)
  return runAndSave(args, text, simulation, until)
}

function showStatus (args: Arguments): string[] {
  return summaryLines(load(args.state!).simulation)
}

function showDifference (args: Arguments): string[] {
  const until = untilMinute(args)
  const before = load(args.state!).simulation
  const after = load(args.state!).simulation
  checkLater(before, until)
  new Edits(after).read(readText(args.edits!))
  before.run(until)
  after.run(until)
  return differenceLines(before.events, after.events)
}

export const COMMANDS = new Map<string, Command>([
  ['log', { positionals: ['scenario'], options: ['until', 'save'], run: showLog }],
  ['summary', { positionals: ['scenario'], run: showSummary }],
  ['routes', { positionals: ['scenario'], run: showRoutes }],
  ['resume', { positionals: ['state'], options: ['until', 'save'], run: resume }],
  ['status', { positionals: ['state'], run: showStatus }],
  ['what-if', { positionals: ['state', 'edits'], options: ['until'], run: showDifference }]
])

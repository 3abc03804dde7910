// Prints reports of record files.

import { chosen } from './choosing'
import { readDefinition } from './definition'
import { Fault, UsageError } from './faults'
import { outlineOf } from './outline'
import { readRecords } from './records'
import { textLines } from './textform'

function printReport (definition: string, paths: string[]): string[] {
  const report = readDefinition(definition)
  const records = readRecords(paths)
  return textLines(report, outlineOf(report.section, chosen(report.section, records)))
}

function run (args: string[]): string[] {
  const [command, definition, ...paths] = args
  if (command !== 'print' || paths.length === 0) throw new UsageError('yearbook print DEFINITION FILE...')
  return printReport(definition, paths)
}

try {
  console.log(run(process.argv.slice(2)).join('\n'))
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`usage: ${error.message}`)
    process.exitCode = 2
  } else if (error instanceof Fault) {
    console.error(`error: ${error.message}`)
    process.exitCode = 1
  } else {
    throw error
  }
}

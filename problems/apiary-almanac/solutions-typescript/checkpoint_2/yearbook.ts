// Prints reports of record files.

import { chosen, withQuantities } from './choosing'
import { csvLines } from './csvform'
import { readDefinition } from './definition'
import { Fault, UsageError } from './faults'
import { markdownLines } from './markdown'
import type { Report } from './model'
import { outlineOf, type Outline } from './outline'
import { readRecords } from './records'
import { textLines } from './textform'

type Form = (report: Report, outlines: Outline[]) => string[]

const FORMS = new Map<string, Form>([['text', textLines], ['csv', csvLines], ['markdown', markdownLines]])

function printReport (form: Form, definition: string, paths: string[]): string[] {
  const report = readDefinition(definition)
  const records = readRecords(paths).map(record => withQuantities(report.units, record))
  return form(report, report.sections.map(section => outlineOf(section, chosen(section, records))))
}

function run (args: string[]): string[] {
  const [command, ...rest] = args
  const name = rest[0] === '--form' ? rest.splice(0, 2)[1] : 'text'
  const form = FORMS.get(name)
  const [definition, ...paths] = rest
  if (command !== 'print' || form === undefined || paths.length === 0) {
    throw new UsageError('yearbook print [--form FORM] DEFINITION FILE...')
  }
  return printReport(form, definition, paths)
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

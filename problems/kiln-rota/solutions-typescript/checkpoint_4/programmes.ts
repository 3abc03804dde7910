// Programmes: lists of stages, each of which leads to a heat and keeps it.

import { conflict } from './errors'
import { note } from './history'
import type { Studio } from './studio'

export interface Stage { heat: number, rate: number, hold: number }

export interface Programme { id: string, stages: Stage[], top: number }

export function addProgramme (studio: Studio, fields: Omit<Programme, 'top'>): Programme {
  const { id, stages } = fields
  if (studio.programmes.has(id)) throw conflict('programme-exists')
  const programme = { id, stages, top: Math.max(...stages.map(({ heat }) => heat)) }
  studio.programmes.set(id, programme)
  note(studio, 'programme-added', programme)
  return programme
}

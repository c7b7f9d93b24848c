/** The parts of a systemd unit that the tests read. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../documentation/documents.js'

export const unitName = 'publishing-service@.service'

const readUnit = (name: string): string => readFileSync(join(root, 'docs/operations', name), 'utf8')

export const unitText = readUnit(unitName)

/** The addition for documents in PostgreSQL. */
export const additionText = readUnit('postgresql.conf')

/** The values of a setting, in their order. */
export const settingsOf = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

/** The variables that a unit sets. */
export const variablesIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    settingsOf(text, 'Environment')
      .flatMap((line) => line.split(' '))
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const),
  )

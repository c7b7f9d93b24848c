/**
 * The least and the greatest value of some keys in each stretch of the order of creation, so that a read in that order
 * passes over the stretches that no document within a range is in. They only widen: what has left a stretch may still
 * have a part in its values, which costs the read of a stretch and is never wrong.
 */
import type { DerivedTable } from './derived-table.js'
import { columnTypes, type KeyColumn, plainName, quoted } from './key-column.js'

/** The names of a key's columns, quoted. */
export type Extremes = { readonly least: string; readonly most: string }

export type StretchesTable = DerivedTable & {
  /** By key. */
  readonly extremes: ReadonlyMap<string, Extremes>
}

/** Sequences in a stretch. */
export const stretchLength = 256

type Extreme = {
  readonly column: string
  readonly definition: string
  readonly key: KeyColumn
  readonly least: boolean
}

const extremesOf = (key: KeyColumn): readonly [least: Extreme, most: Extreme] => {
  const extreme = (word: 'least' | 'most'): Extreme => {
    const column = quoted(`${word}_${plainName(key.key)}`)
    return { column, definition: `${column} ${columnTypes[key.type]}`, key, least: word === 'least' }
  }
  return [extreme('least'), extreme('most')]
}

/** `first` is the first sequence of a stretch, whether or not a document has it. */
export const stretchesTable = (documents: string, keys: readonly KeyColumn[]): StretchesTable => {
  const name = `${documents}.stretches`
  const table = quoted(name)
  const all = keys.flatMap(extremesOf)
  const columns = ['instance', 'first', ...all.map(({ column }) => column)].join(', ')
  const firstIn = (row: string): string => `${row}.sequence / ${stretchLength} * ${stretchLength}`
  const widen = [
    `ON CONFLICT (instance, first) DO UPDATE SET ${all
      .map(({ column, least }) => `${column} = ${least ? 'min' : 'max'}(${column}, excluded.${column})`)
      .join(', ')}`,
    `WHERE ${all.map(({ column, least }) => `excluded.${column} ${least ? '<' : '>'} ${column}`).join(' OR ')}`,
  ].join(' ')
  const values = all.map(({ key }) => key.valueIn('NEW'))
  const take = `INSERT INTO ${table} (${columns}) VALUES (${['NEW.instance', firstIn('NEW'), ...values].join(', ')}) ${widen};`
  const trigger = (word: string, event: string) => ({
    name: `${name} ${word}`,
    sql: `CREATE TRIGGER ${quoted(`${name} ${word}`)} AFTER ${event} BEGIN ${take} END`,
  })
  const changed = keys.map(({ valueIn }) => `${valueIn('OLD')} <> ${valueIn('NEW')}`).join(' OR ')
  const row = quoted(documents)
  const filled = all.map(({ key, least }) => `${least ? 'min' : 'max'}(${key.valueIn(row)})`)
  return {
    name,
    sql: `CREATE TABLE ${table} (instance INTEGER NOT NULL, first INTEGER NOT NULL, ${all.map(({ definition }) => `${definition}, `).join('')}PRIMARY KEY (instance, first)) WITHOUT ROWID`,
    indexes: [],
    triggers: [
      trigger('insert', `INSERT ON ${row}`),
      trigger('keys', `UPDATE OF ${keys.map(({ column }) => column).join(', ')} ON ${row} WHEN ${changed}`),
    ],
    fill: `INSERT INTO ${table} (${columns}) SELECT ${[`${row}.instance`, firstIn(row), ...filled].join(', ')} FROM ${row} WHERE ${row}.sequence > ? AND ${row}.sequence <= ? GROUP BY 1, 2 ${widen}`,
    extremes: new Map(
      keys.map((key) => {
        const [least, most] = extremesOf(key)
        return [key.key, { least: least.column, most: most.column }]
      }),
    ),
  }
}

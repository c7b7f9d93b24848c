/**
 * A block range index: the smallest and largest value of some keys in each block of consecutive insertions, so that a
 * read in the order of insertion skips the blocks without a document in a range. The bounds only widen: they may still
 * include a deleted document, which costs the read of a block but never returns a wrong result.
 */
import type { DerivedTable } from './derived-table.js'
import { columnTypes, type KeyColumn, plainName, quoted } from './key-column.js'

/** The quoted names of the columns with the bounds of a key. */
export type BoundColumns = { readonly lower: string; readonly upper: string }

export type BlockRangeIndex = DerivedTable & {
  /** The columns of each key. */
  readonly bounds: ReadonlyMap<string, BoundColumns>
}

/** Sequence numbers in a block. */
export const blockLength = 256

type KeyBounds = BoundColumns & { readonly key: KeyColumn; readonly definition: string }

const boundsOf = (key: KeyColumn): KeyBounds => {
  const [lower, upper] = [quoted(`least_${plainName(key.key)}`), quoted(`most_${plainName(key.key)}`)]
  const type = columnTypes[key.type]
  return { key, lower, upper, definition: `${lower} ${type}, ${upper} ${type}` }
}

/** `first` is the first sequence number of a block, whether or not a document has it. */
export const blockRangeIndex = (documents: string, keys: readonly KeyColumn[]): BlockRangeIndex => {
  const name = `${documents}.blocks`
  const [table, row] = [quoted(name), quoted(documents)]
  const all = keys.map(boundsOf)
  const columns = ['instance', 'first', ...all.flatMap(({ lower, upper }) => [lower, upper])].join(', ')
  const blockStart = (of: string): string => `${of}.sequence / ${blockLength} * ${blockLength}`
  const at = `instance = NEW.instance AND first = ${blockStart('NEW')}`
  // Two simple statements: a single one with min() and max() takes SQLite 50 µs more.
  const widen = ({ key, lower, upper }: KeyBounds): string => {
    const value = key.valueIn('NEW')
    return [
      `UPDATE ${table} SET ${lower} = ${value} WHERE ${at} AND ${lower} > ${value};`,
      `UPDATE ${table} SET ${upper} = ${value} WHERE ${at} AND ${upper} < ${value};`,
    ].join(' ')
  }
  const values = all.flatMap(({ key }) => [key.valueIn('NEW'), key.valueIn('NEW')])
  const insertBlock = `INSERT INTO ${table} (${columns}) VALUES (${['NEW.instance', blockStart('NEW'), ...values].join(', ')}) ON CONFLICT DO NOTHING;`
  const trigger = (word: string, event: string, act: string) => {
    // Names of columns have no space, so the name of a trigger is never that of a table.
    const own = `${name} ${word}`
    return { name: own, sql: `CREATE TRIGGER ${quoted(own)} AFTER ${event} BEGIN ${act} END` }
  }
  const documentBounds = all.flatMap(({ key }) => [`min(${key.valueIn(row)})`, `max(${key.valueIn(row)})`])
  const mergedBounds = all.flatMap(({ lower, upper }) => [
    `${lower} = min(${lower}, excluded.${lower})`,
    `${upper} = max(${upper}, excluded.${upper})`,
  ])
  return {
    name,
    sql: `CREATE TABLE ${table} (instance INTEGER NOT NULL, first INTEGER NOT NULL, ${all.map(({ definition }) => `${definition}, `).join('')}PRIMARY KEY (instance, first)) WITHOUT ROWID`,
    indexes: [],
    triggers: [
      trigger('insert', `INSERT ON ${row}`, [insertBlock, ...all.map(widen)].join(' ')),
      ...all.map((extremes) => {
        const { key, column, valueIn } = extremes.key
        return trigger(
          `of ${plainName(key)}`,
          `UPDATE OF ${column} ON ${row} WHEN ${valueIn('OLD')} <> ${valueIn('NEW')}`,
          widen(extremes),
        )
      }),
    ],
    fill: `INSERT INTO ${table} (${columns}) SELECT ${[`${row}.instance`, blockStart(row), ...documentBounds].join(', ')} FROM ${row} WHERE ${row}.sequence > ? AND ${row}.sequence <= ? GROUP BY 1, 2 ON CONFLICT (instance, first) DO UPDATE SET ${mergedBounds.join(', ')}`,
    bounds: new Map(all.map(({ key, lower, upper }) => [key.key, { lower, upper }])),
  }
}

/**
 * A block range index: the least and the greatest value of some keys in each block of consecutive insertions, so that a
 * read in the order of insertion skips the blocks that have no document within a range. The bounds only widen: a
 * document that has left a block may still count in them, which costs the read of a block and is never wrong.
 */
import type { DerivedTable } from './derived-table.js'
import { columnTypes, type KeyColumn, plainName, quoted } from './key-column.js'

/** The names of a key's columns, quoted. */
export type Extremes = { readonly least: string; readonly most: string }

export type BlockRangeIndex = DerivedTable & {
  /** By key. */
  readonly extremes: ReadonlyMap<string, Extremes>
}

/** Sequences in a block. */
export const blockLength = 256

type Extreme = Extremes & { readonly key: KeyColumn; readonly definition: string }

const extremesOf = (key: KeyColumn): Extreme => {
  const [least, most] = [quoted(`least_${plainName(key.key)}`), quoted(`most_${plainName(key.key)}`)]
  const type = columnTypes[key.type]
  return { key, least, most, definition: `${least} ${type}, ${most} ${type}` }
}

/** `first` is the first sequence of a block, whether or not a document has it. */
export const blockRangeIndex = (documents: string, keys: readonly KeyColumn[]): BlockRangeIndex => {
  const name = `${documents}.blocks`
  const [table, row] = [quoted(name), quoted(documents)]
  const all = keys.map(extremesOf)
  const columns = ['instance', 'first', ...all.flatMap(({ least, most }) => [least, most])].join(', ')
  const firstIn = (of: string): string => `${of}.sequence / ${blockLength} * ${blockLength}`
  const at = `instance = NEW.instance AND first = ${firstIn('NEW')}`
  // Two plain statements: one with min() and max() costs SQLite 50 µs more.
  const widen = ({ key, least, most }: Extreme): string => {
    const value = key.valueIn('NEW')
    return [
      `UPDATE ${table} SET ${least} = ${value} WHERE ${at} AND ${least} > ${value};`,
      `UPDATE ${table} SET ${most} = ${value} WHERE ${at} AND ${most} < ${value};`,
    ].join(' ')
  }
  const values = all.flatMap(({ key }) => [key.valueIn('NEW'), key.valueIn('NEW')])
  const begin = `INSERT INTO ${table} (${columns}) VALUES (${['NEW.instance', firstIn('NEW'), ...values].join(', ')}) ON CONFLICT DO NOTHING;`
  const trigger = (word: string, event: string, act: string) => {
    // Columns' names hold no space, so no table's name is another's trigger's.
    const own = `${name} ${word}`
    return { name: own, sql: `CREATE TRIGGER ${quoted(own)} AFTER ${event} BEGIN ${act} END` }
  }
  const found = all.flatMap(({ key }) => [`min(${key.valueIn(row)})`, `max(${key.valueIn(row)})`])
  const wider = all.flatMap(({ least, most }) => [
    `${least} = min(${least}, excluded.${least})`,
    `${most} = max(${most}, excluded.${most})`,
  ])
  return {
    name,
    sql: `CREATE TABLE ${table} (instance INTEGER NOT NULL, first INTEGER NOT NULL, ${all.map(({ definition }) => `${definition}, `).join('')}PRIMARY KEY (instance, first)) WITHOUT ROWID`,
    indexes: [],
    triggers: [
      trigger('insert', `INSERT ON ${row}`, [begin, ...all.map(widen)].join(' ')),
      ...all.map((extremes) => {
        const { key, column, valueIn } = extremes.key
        return trigger(
          `of ${plainName(key)}`,
          `UPDATE OF ${column} ON ${row} WHEN ${valueIn('OLD')} <> ${valueIn('NEW')}`,
          widen(extremes),
        )
      }),
    ],
    fill: `INSERT INTO ${table} (${columns}) SELECT ${[`${row}.instance`, firstIn(row), ...found].join(', ')} FROM ${row} WHERE ${row}.sequence > ? AND ${row}.sequence <= ? GROUP BY 1, 2 ON CONFLICT (instance, first) DO UPDATE SET ${wider.join(', ')}`,
    extremes: new Map(all.map(({ key, least, most }) => [key.key, { least, most }])),
  }
}

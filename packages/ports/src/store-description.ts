/** A document store before it is opened, as it is found without a change to it. */
export type StoreDescription = {
  /** Name and version, such as `PostgreSQL 16.4`. */
  readonly server: string
  /** Whether this program is tested with that version. */
  readonly isTested: boolean
  /** Milliseconds since 1970 by the clock of its server; null if it has none of its own. */
  readonly time: number | null
  /** The next process that opens an `outdated` store migrates it, and creates the tables of an `empty` one. */
  readonly schema: 'empty' | 'outdated' | 'current'
}

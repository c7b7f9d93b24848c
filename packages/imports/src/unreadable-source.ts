/** A place in a file: both count from 1. */
export type SourcePlace = { readonly line: number; readonly column: number }

/** The file is not what it should be, so nothing of it is read. The message is for the person who has it. */
export class UnreadableSource extends Error {
  readonly place: SourcePlace | null

  constructor(reason: string, place: SourcePlace | null = null) {
    super(place === null ? reason : `line ${place.line}, column ${place.column}: ${reason}`)
    this.name = 'UnreadableSource'
    this.place = place
  }
}

/**
 * Statements as data, with their parameters: the kit yields them, and a store runs them on its driver, with or without
 * waiting.
 */
import type { KeyValue, PlainType } from '@publishing-service/ports/key-values'

/** A parameter of a statement. */
export type Parameter = string | number | Uint8Array | null

/** The columns of a row, in the order of the statement. Integers are numbers. */
export type Row = readonly (string | number | Uint8Array | null)[]

/** The text in a column of texts. */
export const textIn = (column: Row[number] | undefined): string => {
  if (typeof column !== 'string') throw new Error('The database returned no text in a column of texts')
  return column
}

/** The bytes in a column of bytes. */
export const bytesIn = (column: Row[number] | undefined): Uint8Array => {
  if (!(column instanceof Uint8Array)) throw new Error('The database returned no bytes in a column of bytes')
  return column
}

export type Statement = {
  readonly sql: string
  readonly parameters: readonly Parameter[]
  /** Its result is not used, so the next statement may be sent before it has returned. */
  readonly isBlind?: true
  /** It is sent when all statements before it have succeeded. */
  readonly isLast?: true
}

/** `changes` is the number of rows that a statement without result has inserted, changed or deleted. */
export type Result = { readonly rows: readonly Row[]; readonly changes: number }

/** Work that yields statements, each of which is resumed with its result. */
export type Steps<A> = Generator<Statement, A, Result>

/** Work that needs no statement. */
export function* withoutStatement<A>(value: A): Steps<A> {
  yield* []
  return value
}

/** Runs steps on a driver that returns at once. */
export const runSteps = <A>(steps: Steps<A>, execute: (statement: Statement) => Result): A => {
  let step = steps.next()
  while (step.done !== true) step = steps.next(execute(step.value))
  return step.value
}

const noResult: Result = { rows: [], changes: 0 }

/**
 * Runs steps on a driver that returns later, and runs statements in the order of their arrival. `isSingly` sends each when
 * the one before it has returned.
 */
export const runStepsLater = async <A>(
  steps: Steps<A>,
  execute: (statement: Statement) => Promise<Result>,
  isSingly = false,
): Promise<A> => {
  const running: Promise<Result>[] = []
  let step = steps.next()
  while (step.done !== true) {
    if (step.value.isLast === true) await Promise.all(running.splice(0))
    const result = execute(step.value)
    // The next statement with a result awaits it.
    result.catch(() => undefined)
    running.push(result)
    if (step.value.isBlind === true && !isSingly) step = steps.next(noResult)
    else step = steps.next((await Promise.all(running.splice(0))).at(-1) ?? noResult)
  }
  await Promise.all(running)
  return step.value
}

/** Collects the parameters of one statement, in the order in which its text has their placeholders. */
export class Parameters {
  readonly values: Parameter[] = []

  constructor(private readonly placeholder: (index: number) => string) {}

  /** The placeholder of the value. */
  add(value: Parameter): string {
    return this.placeholder(this.values.push(value))
  }

  addAll(values: readonly Parameter[]): string {
    return values.map((value) => this.add(value)).join(', ')
  }
}

/** A statement without parameters. */
export const plainStatement = (sql: string): Statement => ({ sql, parameters: [] })

/** Makes statements of texts that are written with their parameters. */
export const statementsWith =
  (placeholder: (index: number) => string) =>
  (write: (parameters: Parameters) => string): Statement => {
    const parameters = new Parameters(placeholder)
    return { sql: write(parameters), parameters: parameters.values }
  }

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The values, the last of them repeated: few numbers of values, so that there are few statements. */
export const padded = <A>(values: readonly A[]): readonly A[] => {
  let length = 1
  // Few values take the database little time, so their number may be four times as large, and that of many twice.
  while (length < values.length) length *= length < 64 ? 4 : 2
  const last = values.slice(-1)
  return [...values, ...Array.from({ length: length - values.length }, () => last).flat()]
}

// The value of a key is a parameter of bytes whose order is that of the values: no nulls, collations or number types of a
// database take part. An absent value is empty, a text its UTF-8, a number its 8 bytes with the sign first, a boolean one byte.

const absent = new Uint8Array()
const booleans = [Uint8Array.of(0), Uint8Array.of(1)] as const

const numberBytes = (value: number): Uint8Array => {
  const bytes = new Uint8Array(8)
  const view = new DataView(bytes.buffer)
  view.setFloat64(0, value)
  // Negative numbers: all bits, so that a greater amount sorts before a smaller one. Others: the sign.
  if (value < 0) for (let i = 0; i < 8; i += 1) view.setUint8(i, ~view.getUint8(i))
  else view.setUint8(0, view.getUint8(0) | 0x80)
  return bytes
}

export const textBytes = (text: string): Uint8Array => Buffer.from(text)

export const textFrom = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()

export const keyBytes = (value: KeyValue): Uint8Array => {
  if (value === null) return absent
  if (typeof value === 'string') return textBytes(value)
  return typeof value === 'number' ? numberBytes(value) : booleans[value ? 1 : 0]
}

/** The value of a key of this type from its bytes. */
export const keyFrom = (type: PlainType, bytes: Uint8Array): KeyValue => {
  if (bytes.length === 0) return null
  if (type === 'text') return textFrom(bytes)
  if (type === 'boolean') return bytes[0] === 1
  const copy = Uint8Array.from(bytes)
  const view = new DataView(copy.buffer)
  if (view.getUint8(0) >= 0x80) view.setUint8(0, view.getUint8(0) & 0x7f)
  else for (let i = 0; i < 8; i += 1) view.setUint8(i, ~view.getUint8(i))
  return view.getFloat64(0)
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

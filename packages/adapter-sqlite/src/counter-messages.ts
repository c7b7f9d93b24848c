/** The messages between the calling thread and the counter's thread. */
import type { Either } from '@publishing-service/domain/fp'
import type { Collection, CountedTexts, DocumentStore, PortFailure } from '@publishing-service/ports'

/** The members of the port that count. */
export type Counts = Pick<DocumentStore, 'count' | 'countTexts'>

/** The settings with which the counter's thread is started. */
export type CounterSettings = {
  readonly file: string
  readonly collections: readonly Collection[]
  /** Whether it sends the statements that it runs. */
  readonly sendsStatements: boolean
}

/** A call of a member. */
export type Call =
  | { readonly name: 'count'; readonly parameters: Parameters<Counts['count']> }
  | { readonly name: 'countTexts'; readonly parameters: Parameters<Counts['countTexts']> }

export type ToCounter = { readonly id: number } & Call

export type Counted =
  | { readonly name: 'count'; readonly outcome: Either<PortFailure, number> }
  | { readonly name: 'countTexts'; readonly outcome: Either<PortFailure, CountedTexts> }

export type FromCounter = { readonly statement: string } | ({ readonly id: number } & Counted)

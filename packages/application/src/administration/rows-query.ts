import type { JsonObject } from '@publishing-service/domain/json'
import type { Filter, Order } from '@publishing-service/domain/filters'
import type { Parameters, Queryable } from '@publishing-service/domain/lists'
import type { Document } from '@publishing-service/ports'
import type { Test } from '../engine/filter-in-memory.js'

/** Rows of a collection of the service itself. */
export type RowsQuery = {
  readonly collection: string
  readonly rows: Queryable
  readonly parameters: Parameters
  readonly where?: readonly Filter[]
  /** The order if the request names none. */
  readonly initialOrder?: readonly Order[]
  /** Which documents the caller sees, if not all. */
  readonly test?: Test
  /** The state that a row shows. */
  readonly stateOf?: (document: Document) => JsonObject
}

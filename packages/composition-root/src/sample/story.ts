/** What a story of the sample is made of: what clients would send to put it there. */
import type { JsonObject } from '@publishing-service/domain'

/** A slot that the story's body places. */
export type PlantedSlot = {
  readonly id: string
  /** What a PUT of the slot sends. */
  readonly settings: JsonObject
  readonly media: readonly JsonObject[]
}

/** A content object under a fixed UUID, with what a PUT of it sends, and its slots. */
export type Story = {
  readonly id: string
  readonly attributes: JsonObject
  readonly slots: readonly PlantedSlot[]
}

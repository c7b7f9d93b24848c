import type { JsonObject } from '@publishing-service/domain/json'

/** A text without characters that the API refuses. */
const accepted = (text: string): string => text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')

/** The attributes with a value; texts without characters that the API refuses. */
export const present = (attributes: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      const read = typeof value === 'string' ? accepted(value) : value
      return read === '' || read === null ? [] : [[name, read]]
    }),
  )

import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'

/** What the browser has signed of a use or a creation of a passkey. */
type ClientData = {
  readonly challenge: string
  /** Whether a page of another origin has caused it, in a frame. */
  readonly isCrossOrigin: boolean
}

/** Texts of an answer are shorter: keys of post-quantum algorithms need some thousand characters. */
const maxCharacters = 20_000

/** A text of an answer; an empty one if it has none, or one that is too long. */
export const textIn = (object: JsonObject, name: string): string => {
  const value = object[name]
  return typeof value === 'string' && value.length <= maxCharacters ? value : ''
}

/** The part `response` of an answer. */
export const responseOf = (answer: JsonObject): JsonObject =>
  isJsonObject(answer['response']) ? answer['response'] : {}

/** The client data of an answer, of which nothing is verified; null if they are malformed. */
export const clientDataOf = (answer: JsonObject): ClientData | null => {
  try {
    const text = Buffer.from(textIn(responseOf(answer), 'clientDataJSON'), 'base64url').toString()
    const data: unknown = JSON.parse(text)
    if (!isJsonObject(data) || textIn(data, 'challenge') === '') return null
    return { challenge: textIn(data, 'challenge'), isCrossOrigin: data['crossOrigin'] === true }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

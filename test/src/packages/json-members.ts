/** Members of JSON files of this repository. What is not as expected is a defect of the file. */
import { readFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@publishing-service/domain/json'

export const readObject = async (path: string): Promise<JsonObject> => {
  const value: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (!isJsonObject(value)) throw new Error(`${path} is not an object`)
  return value
}

/** The text of a member of an object. */
export const textOf = (object: JsonObject, name: string): string => {
  const { [name]: value } = object
  if (typeof value !== 'string') throw new Error(`${name} is not a text`)
  return value
}

export const objectOf = (object: JsonObject, name: string): JsonObject => {
  const { [name]: value } = object
  if (!isJsonObject(value)) throw new Error(`${name} is not an object`)
  return value
}

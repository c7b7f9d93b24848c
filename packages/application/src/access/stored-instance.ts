import { isJsonObject, type JsonObject, type Settings } from '@publishing-service/domain'
import type { Instance } from '../caller.js'

/**
 * A deleted instance stays as a mark, so that its number is never used again: `deleted` is when its deletion began, in
 * milliseconds since 1970, and `finished` when nothing of it was left.
 */
export const isLiveInstance = ({ deleted }: JsonObject): boolean => typeof deleted !== 'number'

export const instanceOf = (number: number, { settings }: JsonObject): Instance => ({
  number,
  settings: (isJsonObject(settings) ? settings : {}) as unknown as Settings,
})

import type { JsonObject } from '../json.js'

/**
 * The category that took over the old location types has this UUID on every instance; what an instance puts into
 * it reads as `location_types` (decisions §9).
 */
export const locationTypesCategory = '10ca7100-7e57-4a95-8c0d-000000000001'

/** A tag as people read it: a person's first and last name, else the title. */
export const displayName = ({ first_name, last_name_or_title }: JsonObject): string =>
  [first_name, last_name_or_title].filter((name) => typeof name === 'string' && name !== '').join(' ')

import { v5 } from 'uuid'

/** The UUID of an object of another system, always the same for the same site, kind and id. */
export const derivedUuid = (site: string, kind: string, id: string): string =>
  v5(`${site}\n${kind}\n${id}`, v5.URL)

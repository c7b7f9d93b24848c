import { cacheControl } from '@publishing-service/http-contract'
import { entityTag } from './entity-tag.js'
import { varyBy, type ReadyResponse } from './ready-response.js'

/** A file of the documentation or of the dashboard, with its compressed forms. */
export const webFile = (
  type: string,
  body: Buffer,
  { vary = [], isCompressed }: { readonly vary?: readonly string[]; readonly isCompressed: boolean },
): ReadyResponse => ({
  body,
  tag: entityTag(body),
  control: cacheControl.documentation,
  vary: varyBy(vary, isCompressed),
  headers: ['Content-Type', type],
  forms: isCompressed ? new Map() : null,
})

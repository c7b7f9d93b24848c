import type { Json } from '@publishing-service/domain'
import type { Download } from '@publishing-service/application'
import type { WebFile } from './documentation.js'
import type { KeptAnswer } from './response-cache.js'

export type Headers = Readonly<Record<string, string>>

/** What a handler answers, before it is put on the wire. */
export type Answer =
  | { readonly _tag: 'Json'; readonly body: Json; readonly headers?: Headers }
  /** An answer that was made before, and is the same for everybody. */
  | { readonly _tag: 'Ready'; readonly answer: KeptAnswer }
  | { readonly _tag: 'Page'; readonly page: WebFile }
  | { readonly _tag: 'Data'; readonly download: Download }

export const json = (body: Json, headers?: Headers): Answer =>
  headers === undefined ? { _tag: 'Json', body } : { _tag: 'Json', body, headers }

import type { Json } from '@publishing-service/domain'
import type { Download } from '@publishing-service/application'
import type { WebFile } from './web-file.js'

export type Headers = Readonly<Record<string, string>>

/** What a handler answers, before it is put on the wire. */
export type Answer =
  | { readonly _tag: 'Json'; readonly body: Json; readonly headers?: Headers }
  /** Documentation: made before, and the same for everybody. */
  | { readonly _tag: 'WebFile'; readonly file: WebFile }
  | { readonly _tag: 'Data'; readonly download: Download }
  /** To a page for people. */
  | { readonly _tag: 'Redirect'; readonly location: string }

export const json = (body: Json, headers?: Headers): Answer =>
  headers === undefined ? { _tag: 'Json', body } : { _tag: 'Json', body, headers }

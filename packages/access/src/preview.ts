/** Previews: read-only access to one object with its draft (docs/behaviour/drafts.md#previews). */
import {
  integer,
  momentSchema,
  nullable,
  type Shape,
  shown,
  stored,
  textSchema,
  uriSchema,
} from '@publishing-service/domain/declare'
import { tokenSeconds } from './user.js'

const hour = 3600

/** The longest time for which a preview is valid, in seconds. */
export const maxPreviewSeconds = 14 * tokenSeconds

/** What a request for a preview sends. */
export const previewRequest = {
  attributes: {
    expires_in: stored(integer({ min: hour, max: maxPreviewSeconds }), 'Seconds for which it is valid.', {
      initial: tokenSeconds,
    }),
  },
  examples: { bodies: [{ expires_in: 7 * tokenSeconds }] },
} as const satisfies Shape

export const preview: Shape = {
  attributes: {
    token: shown('token', textSchema, 'The token, for `Authorization: Bearer`.'),
    expires: shown('expires', momentSchema, 'When it ends, in UTC.'),
    url: shown(
      'url',
      uriSchema,
      'Address of the preview on the website; null until the setting `preview_url` is set.',
      nullable,
    ),
  },
}

/** The address of a preview on the website. */
export const previewAddress = (template: string, path: string, token: string): string =>
  template.replaceAll('{path}', path).replaceAll('{token}', token)

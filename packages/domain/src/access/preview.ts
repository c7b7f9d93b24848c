/** Previews: read-only access to one object with its draft (docs/behaviour/drafts.md#previews). */
import type { JsonObject } from '../json.js'
import { derived, stored } from '../resource/attribute.js'
import type { Shape } from '../resource/variant.js'
import { integer } from '../value/scalar.js'
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
    token: derived(
      { type: 'string' },
      'The token, for `Authorization: Bearer`.',
      (state: JsonObject) => state['token'] ?? null,
    ),
    expires: derived(
      { type: 'string', format: 'date-time' },
      'When it ends, in UTC.',
      (state: JsonObject) => state['expires'] ?? null,
    ),
    url: derived(
      { type: 'string', format: 'uri' },
      'Address of the preview on the website; null until the setting `preview_url` is set.',
      (state: JsonObject) => state['url'] ?? null,
      { nullable: true },
    ),
  },
}

/** The address of a preview on the website. */
export const previewAddress = (template: string, path: string, token: string): string =>
  template.replaceAll('{path}', path).replaceAll('{token}', token)

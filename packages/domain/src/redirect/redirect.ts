import { fault } from '../fault.js'
import { computed, stored, type WholeOf } from '../resource/attribute.js'
import { defineResource } from '../resource/resource.js'
import { stamps } from '../resource/stamps.js'
import { periodFilter } from '../resource/standard-filters.js'
import { ordinal, boolean } from '../value/scalar.js'
import { isEndless, redirectKey } from './apply-redirect.js'
import { redirectPattern, redirectTemplate } from './redirect-texts.js'

const attributes = {
  pattern: stored(
    redirectPattern,
    'Path of the website that is redirected; `**` matches any text and may occur once. Unique.',
    { required: true },
  ),
  template: stored(
    redirectTemplate,
    'Target: a web address or a path of the website. `\\1` is replaced by the text that `**` matched, or by nothing if the pattern has no `**`.',
    { required: true },
  ),
  ord: stored(ordinal, 'Position in the order in which redirects are applied.', { required: true }),
  permanent: stored(boolean, 'Whether it is permanent (301) or temporary (302).', { initial: true }),
  ...stamps,
  pattern_key: computed(
    'text',
    'The key by which it is found.',
    ['pattern'],
    ({ pattern }: { readonly pattern: string | null }) => redirectKey(pattern ?? ''),
    { revision: 2 },
  ),
} as const

export type Redirect = WholeOf<typeof attributes>

/** Redirects of the website (docs/behaviour/paths.md#redirects). */
export const redirect = defineResource({
  name: 'redirect',
  collection: 'redirects',
  description: 'Redirects lead from paths of the website to other addresses.',
  examples: {
    id: '7b0c4d1e-52a8-4c39-9f6e-0d3a81c5e2f7',
    bodies: [{ pattern: '/trams/**', template: '/transport/trams/\\1', ord: 20 }],
    change: { permanent: false },
  },
  attributes,
  orders: {
    ord: 'ord',
    pattern: 'pattern',
    template: 'template',
    created: 'created',
    modified: 'modified',
  },
  filters: {
    created: periodFilter('created', 'Created within this period'),
    modified: periodFilter('modified', 'Modified within this period'),
  },
  indexes: [['pattern_key', 'ord']],
  unique: () => ({
    attribute: 'pattern',
    scope: 'redirect',
    message: 'pattern must be unique for redirects',
  }),
  nameOf: ({ pattern }) => pattern,
  check: ({ pattern, template }, { previous }) =>
    pattern !== null &&
    template !== null &&
    (pattern !== previous?.pattern || template !== previous.template) &&
    isEndless({ pattern, template })
      ? [fault('template', 'rule', 'must not lead to a path to which the redirect applies again without end')]
      : [],
})

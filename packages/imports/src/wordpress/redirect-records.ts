/** Redirects of the plug-in Safe Redirect Manager, and from addresses with a query. */
import { fileNote, importedObject, importRecord, type ImportRecord } from '@publishing-service/domain/imports'
import { addressParts } from '../address-parts.js'
import { derivedUuid } from '../derived-uuid.js'
import type { PathRedirect } from './paths-before.js'
import type { SiteIndex } from './site-index.js'
import { metaValue, type WxrItem } from './wxr.js'

const permanentStatuses = new Set(['', '301', '308'])
const redirectStatuses = new Set([...permanentStatuses, '302', '303', '307'])

/** Between the positions of two redirects, so that others fit in. */
const step = 10

const templateOf = (to: string, { site }: SiteIndex): string => {
  const parts = addressParts(to)
  const isOfSite = parts !== null && parts.host === addressParts(site)?.host
  const address = isOfSite ? `${parts.path}${parts.query}` : to
  return address.replace('*', '\\1')
}

/** The record of a redirect of the plug-in. */
export const ruleRecord = (item: WxrItem, position: number, index: SiteIndex): ImportRecord => {
  const from = metaValue(item, '_redirect_rule_from')
  const to = metaValue(item, '_redirect_rule_to')
  const status = metaValue(item, '_redirect_rule_status_code')
  const origin = { source: `redirect_rule ${item.id}`, title: from, line: item.line }
  const leftOut = (text: string): ImportRecord =>
    importRecord({ origin, notes: [fileNote('redirect', text, item.line)] })
  if (metaValue(item, '_redirect_rule_from_regex') === '1')
    return leftOut(`the redirect from ${from} to ${to} is not taken over, because it is a regular expression`)
  if (!redirectStatuses.has(status))
    return leftOut(`the answer ${status} at ${from} is not taken over, because it is no redirect`)
  return importRecord({
    origin,
    object: importedObject({
      collection: 'redirects',
      id: derivedUuid(index.site, 'redirect', item.id),
      attributes: {
        pattern: `${index.sitePath}${from.replace('*', '**')}`,
        template: templateOf(to, index),
        ord: position * step,
        permanent: permanentStatuses.has(status),
      },
    }),
  })
}

/** The record of a redirect from an address with a query. */
export const queryRecord = (
  { pattern, template }: PathRedirect,
  position: number,
  { site }: SiteIndex,
): ImportRecord =>
  importRecord({
    origin: { source: 'permalink', title: pattern, line: null },
    object: importedObject({
      collection: 'redirects',
      id: derivedUuid(site, 'permalink', pattern),
      attributes: { pattern, template, ord: position * step, permanent: true },
    }),
  })

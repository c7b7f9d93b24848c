/** All redirects of a website in one pass, for hosts of static websites. */
import { badParameters, fault, redirect } from '@publishing-service/domain'
import {
  pathHistory,
  pathKinds,
  pathLookups,
  publicPath,
  redirectFormats,
  redirectList,
  type ListedRedirect,
  type PathWithHistory,
  type RedirectFormat,
} from '@publishing-service/domain/paths'
import type { Parameters } from '@publishing-service/domain/lists'
import { operations } from '@publishing-service/domain/roles'
import { acceptedState, visibilityOf } from '@publishing-service/domain/engine'
import { unreadable } from '@publishing-service/ports'
import { fail } from '../attempt.js'
import { forEachPage } from '../engine/for-each-page.js'
import { loadReferences } from '../engine/load-related.js'
import type { ReadOperation } from '../operation.js'
import type { Session } from '../session.js'

/** Objects that one query returns: few, because other requests wait while they are decoded. */
const batchSize = 100

/** The paths of everything that the public sees. */
const pathsOf = async (session: Session): Promise<readonly PathWithHistory[]> => {
  const paths: PathWithHistory[] = []
  for (const { resource, rule } of pathKinds)
    await forEachPage(
      {
        documents: session.documents,
        collection: resource.collection,
        where: visibilityOf(resource, session),
        limit: batchSize,
      },
      async (documents) => {
        const states = documents.flatMap(({ value }) => (value === unreadable ? [] : [value]))
        const lookups = states.flatMap((state) => pathLookups(rule, state))
        const find = await loadReferences(session, lookups)
        for (const state of states)
          paths.push({ current: publicPath(rule, state, find), former: pathHistory(rule, state, find) })
      },
    )
  return paths
}

const ownRedirects = async ({ documents }: Session) => {
  const own: { readonly pattern: string; readonly template: string; readonly permanent: boolean }[] = []
  await forEachPage(
    {
      documents,
      collection: redirect.collection,
      order: [{ key: 'ord', direction: 'asc' }],
      limit: batchSize,
    },
    (found) => {
      for (const { value } of found) {
        if (value === unreadable) continue
        const { pattern, template, permanent } = acceptedState(redirect.attributes, value)
        own.push({ pattern, template, permanent: permanent !== false })
      }
    },
  )
  return own
}

const formatIn = ({ format: sent = redirectFormats[0] }: Parameters): RedirectFormat => {
  const format = redirectFormats.find((each) => each === sent)
  if (format !== undefined) return format
  fail(
    badParameters([fault('format', 'parameter', `must be one of ${redirectFormats.join(', ')}, sent once`)]),
  )
}

/** Redirects with the host that reads them. */
export type ExportedRedirects = {
  readonly format: RedirectFormat
  readonly redirects: readonly ListedRedirect[]
}

/** The earlier paths of everything that the public sees, and the redirects (docs/behaviour/paths.md#redirects-as-a-file). */
export const exportRedirects: ReadOperation<{ readonly parameters: Parameters }, ExportedRedirects> = {
  ...operations.exportRedirects,
  run: async (session, { parameters }) => {
    const format = formatIn(parameters)
    const [paths, own] = [await pathsOf(session.asPublic()), await ownRedirects(session)]
    return { format, redirects: redirectList(paths, own) }
  },
}

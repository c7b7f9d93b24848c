import { isLinkValid, linkEnd, type LinkKind, linkKinds, type MailedKind } from '@publishing-service/access'
import type { Problem } from '@publishing-service/domain'
import { E, t } from '@publishing-service/domain/fp'
import type { Document } from '@publishing-service/ports'
import { unrecorded, type Recorded } from '../audit/recording.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored } from '../decode-stored.js'
import { removeAllStored } from '../engine/remove-stored.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'

const { name: collection } = systemCollections.signInLinks

const kinds = Object.fromEntries(linkKinds.map((kind) => [kind, null]))
const isKind = (value: unknown): value is LinkKind => typeof value === 'string' && Object.hasOwn(kinds, value)
const Kind = new t.Type<LinkKind>(
  'kind',
  isKind,
  (value, context) => (isKind(value) ? t.success(value) : t.failure(value, context)),
  t.identity,
)

/** A link as it is stored, under the digest of its token. */
const StoredLink = t.readonly(
  t.type({
    user: t.string,
    kind: Kind,
    expires: t.number,
    /** The id of the link of which this is another token; null for a link. */
    of: t.union([t.string, t.null]),
  }),
  collection,
)

type StoredLink = t.TypeOf<typeof StoredLink>

const linkInvalid: Problem = { _tag: 'LinkInvalid' }
const maxToken = 200

/** A link that can be used. */
export type SignInLink = {
  readonly id: string
  readonly user: string
  readonly kind: LinkKind
  readonly expires: number
}

/** A link that was made. Its token is not shown again. */
export type IssuedLink = {
  readonly id: string
  readonly kind: LinkKind
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** A link that people receive by mail. */
export type MailedLink = IssuedLink & { readonly kind: MailedKind }

/** Links with which people set up their accounts, once each. Functions throw a Failure. */
export type SignInLinks = {
  /**
   * Makes a link in place of the earlier ones of the user. One that anybody may ask for takes the place of such ones only.
   */
  readonly create: <K extends LinkKind>(
    user: string,
    kind: K,
    recorded?: Recorded<IssuedLink>,
  ) => Promise<IssuedLink & { readonly kind: K }>
  /** Another token of a link that is mailed again, since tokens are not stored; null if the link cannot be used any more. */
  readonly another: (id: string) => Promise<MailedLink | null>
  /** LinkInvalid if the link was used or revoked, or has expired. */
  readonly find: (token: string) => Promise<SignInLink>
  /** Uses a link up, in one step: of two at once, one is LinkInvalid. */
  readonly claim: (token: string) => Promise<SignInLink>
  /** Makes a link usable again whose use has failed. */
  readonly giveBack: (link: SignInLink) => Promise<void>
  /** Returns how many links there were. */
  readonly removeAll: (user: string) => Promise<number>
}

export const createSignInLinks = ({
  documents: all,
  clock,
  ids,
  secrets,
}: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>): SignInLinks => {
  const documents = documentsIn(all, systemInstance)

  const removeOf = (user: string, isMeant?: (link: Document) => boolean): Promise<readonly Document[]> =>
    removeAllStored(documents, collection, [{ key: 'user', equals: user }], isMeant)

  /** The link of an id; null if it cannot be used. */
  const valid = async (id: string) => {
    const found = await documents.get(collection, id)
    if (found === null) return null
    const { user, kind, expires, of } = decodeStored(StoredLink, found)
    if (!isLinkValid(kind, expires, clock.now())) return null
    return { link: { id, user, kind, expires }, version: found.version, of }
  }

  const read = async (token: string) => {
    const found = token.length > maxToken ? null : await valid(secrets.digest(token))
    const link = found === null || found.of === null ? found : await valid(found.of)
    if (link === null) throw linkInvalid
    return link
  }

  /** Stores a new token, and returns it. */
  const issue = async <K extends LinkKind>(
    stored: StoredLink & { readonly kind: K },
    recorded: Recorded<IssuedLink>,
  ): Promise<IssuedLink & { readonly kind: K }> => {
    const token = ids.secret()
    const { kind, expires } = stored
    const issued = { id: secrets.digest(token), kind, token, expires }
    const document = { id: issued.id, position: clock.position(), unique: null, value: { ...stored } }
    const inserted = await recorded(issued, (appended) =>
      documents.write(collection, { kind: 'insert', document }, appended),
    )
    if (E.isLeft(inserted)) throw new Error(`a new link was rejected: ${inserted.left._tag}`)
    return issued
  }

  const isForgotten = (link: Document): boolean => decodeStored(StoredLink, link).kind === 'forgotten'

  return {
    create: async (user, kind, recorded = unrecorded.write) => {
      await removeOf(user, kind === 'forgotten' ? isForgotten : undefined)
      return issue({ user, kind, expires: linkEnd(kind, clock.now()), of: null }, recorded)
    },

    another: async (id) => {
      const link = (await valid(id))?.link
      if (link === undefined || link.kind === 'set-up') return null
      const { user, kind, expires } = link
      return issue({ user, kind, expires, of: id }, unrecorded.write)
    },

    find: async (token) => (await read(token)).link,

    claim: async (token) => {
      const { link, version } = await read(token)
      const removed = await documents.remove(collection, link.id, version)
      if (E.isLeft(removed)) throw linkInvalid
      return link
    },

    giveBack: async ({ id, user, kind, expires }) => {
      // Nobody has it if it was given back already.
      await documents.insert(collection, { id, unique: null, value: { user, kind, expires, of: null } })
    },

    removeAll: async (user) => {
      const removed = await removeOf(user)
      return removed.filter((link) => decodeStored(StoredLink, link).of === null).length
    },
  }
}

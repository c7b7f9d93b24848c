import {
  entryKinds,
  type EntryKind,
  isLinkValid,
  linkEnd,
  type LinkKind,
  linkKinds,
  type MailedKind,
  replacedKinds,
  type StoredLink,
  storedLinkAttributes,
} from '@publishing-service/access'
import type { Problem } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { removeDocument, type Change, type Document } from '@publishing-service/ports'
import { unrecorded, type Recorded } from '../recording.js'
import { systemCollections, systemInstance } from '../collections.js'
import { decodeStored, wholeCodec } from '../decode-stored.js'
import { forEachPage } from '../engine/for-each-page.js'
import { removeAllStored } from '../engine/remove-stored.js'
import { targetIn, type ValueChange, type WriteDocument } from '../engine/update-document.js'
import { documentsIn } from '../instance-store.js'
import type { Ports } from '../ports.js'
import type { Fail } from '../failure.js'

const { name: collection } = systemCollections.signInLinks

const linkCodec = wholeCodec(collection, storedLinkAttributes)

const linkInvalid: Problem<'LinkInvalid'> = { _tag: 'LinkInvalid' }
const maxToken = 200

/** A link that can be used. */
type OpenLink<K extends LinkKind> = StoredLink & { readonly id: string; readonly kind: K }

/** A link for getting in. */
export type SignInLink = OpenLink<EntryKind>

const isConfirmation = (link: OpenLink<LinkKind>): link is OpenLink<'confirmation'> =>
  link.kind === 'confirmation'
const isEntry = (link: OpenLink<LinkKind>): link is SignInLink =>
  entryKinds.some((kind) => kind === link.kind)

/** The API user who makes a link, with its name. */
export type LinkMaker = { readonly user: string; readonly name: string }

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
  /** Makes a link in place of the earlier ones of the user that it replaces. */
  readonly create: <K extends LinkKind>(
    user: string,
    kind: K,
    recorded?: Recorded<IssuedLink>,
    /** The address that it confirms, and who has made it. */
    about?: { readonly email?: string; readonly maker?: LinkMaker },
  ) => Promise<IssuedLink & { readonly kind: K }>
  /** Another token of a link that is mailed again, since tokens are not stored; null if the link cannot be used any more. */
  readonly another: (id: string) => Promise<MailedLink | null>
  /** A link for getting in. Fails if it was used or revoked, or has expired. */
  readonly find: (token: string, failWith: Fail<'LinkInvalid'>) => Promise<SignInLink>
  /** The user and the address that a link confirms. Fails as above. */
  readonly findConfirmation: (
    token: string,
    failWith: Fail<'LinkInvalid'>,
  ) => Promise<{ readonly user: string; readonly email: string }>
  /** When the link ends that confirms the address of a user, in milliseconds since 1970; null if none is open. */
  readonly confirmationEnd: (user: string, email: string | null) => Promise<number | null>
  /** Who has made the open links for getting in. */
  readonly makers: (user: string) => Promise<readonly LinkMaker[]>
  /**
   * What the write that a link is used for changes besides: it removes the link, with all of its user for getting in, so that
   * of two uses at once one conflicts. Fails as above.
   */
  readonly useUp: (token: string, failWith: Fail<'LinkInvalid'>) => Promise<readonly Change[]>
  /** The changes that end the links of a user. */
  readonly removals: (user: string, kinds: readonly LinkKind[]) => Promise<readonly Change[]>
  /** Ends the links of a user, by default those of all kinds. Returns how many there were. */
  readonly removeAll: (user: string, kinds?: readonly LinkKind[]) => Promise<number>
}

export const createSignInLinks = (
  { documents: all, clock, ids, secrets }: Pick<Ports, 'documents' | 'clock' | 'ids' | 'secrets'>,
  write: WriteDocument,
): SignInLinks => {
  const documents = documentsIn(all, systemInstance)

  const linkIn = (document: Pick<Document, 'id' | 'value'>): OpenLink<LinkKind> => ({
    ...decodeStored(linkCodec, document),
    id: document.id,
  })

  const removals = async (user: string, kinds: readonly LinkKind[]): Promise<readonly Change[]> => {
    if (kinds.length === 0) return []
    const changes: Change[] = []
    const where = [{ key: 'user', equals: user }]
    await forEachPage({ documents, collection, where, limit: 200 }, (page) =>
      changes.push(
        ...page
          .filter((found) => kinds.includes(linkIn(found).kind))
          .map((found) => removeDocument(collection, found)),
      ),
    )
    return changes
  }

  const isOpen = ({ kind, expires }: OpenLink<LinkKind>): boolean => isLinkValid(kind, expires, clock.now())

  /** The open links of a user, without further tokens of them. */
  const openOf = async (user: string): Promise<readonly OpenLink<LinkKind>[]> => {
    const links: OpenLink<LinkKind>[] = []
    const where = [{ key: 'user', equals: user }] as const
    await forEachPage({ documents, collection, where, limit: 200 }, (page) =>
      links.push(...page.map(linkIn).filter((link) => link.of === null && isOpen(link))),
    )
    return links
  }

  /** The link of an id; null if it cannot be used. */
  const valid = async (id: string) => {
    const found = await documents.get(collection, id)
    if (found === null) return null
    const link = linkIn(found)
    return isOpen(link) ? { link, version: found.version } : null
  }

  /** The link of a token, which is one of these kinds. */
  const read = async <K extends LinkKind>(
    token: string,
    isMeant: (link: OpenLink<LinkKind>) => link is OpenLink<K>,
    failWith: Fail<'LinkInvalid'>,
  ) => {
    const found = token.length > maxToken ? null : await valid(secrets.digest(token))
    const named = found === null || found.link.of === null ? found : await valid(found.link.of)
    if (named === null || !isMeant(named.link)) return failWith(linkInvalid)
    return { link: named.link, version: named.version }
  }

  /** Stores a new token in place of the links of these kinds, and returns it. */
  const issue = async <K extends LinkKind>(
    stored: StoredLink & { readonly kind: K },
    replaced: readonly LinkKind[],
    recorded: Recorded<IssuedLink>,
  ): Promise<IssuedLink & { readonly kind: K }> => {
    const token = ids.secret()
    const { kind, expires } = stored
    const issued = { id: secrets.digest(token), kind, token, expires }
    const insert: ValueChange<JsonObject | null, JsonObject> = async (_none, together) => {
      together(...(await removals(stored.user, replaced)))
      return { ...stored }
    }
    await write(targetIn(collection), issued.id, insert, (_link, writeAll) => recorded(issued, writeAll))
    return issued
  }

  return {
    create: async (user, kind, recorded = unrecorded.write, { email = null, maker = null } = {}) => {
      const stored = {
        user,
        kind,
        expires: linkEnd(kind, clock.now()),
        of: null,
        email,
        created_by: maker?.user ?? null,
        created_by_name: maker?.name ?? null,
      }
      return issue(stored, replacedKinds(kind), recorded)
    },

    another: async (id) => {
      const link = (await valid(id))?.link
      if (link === undefined || link.kind === 'set-up') return null
      const { id: of, kind, ...stored } = link
      return issue({ ...stored, kind, of }, [], unrecorded.write)
    },

    find: async (token, failWith) => (await read(token, isEntry, failWith)).link,

    findConfirmation: async (token, failWith) => {
      const { user, email } = (await read(token, isConfirmation, failWith)).link
      if (email === null) return failWith(linkInvalid)
      return { user, email }
    },

    confirmationEnd: async (user, email) => {
      const links = await openOf(user)
      return links.find((link) => isConfirmation(link) && link.email === email)?.expires ?? null
    },

    makers: async (user) => {
      const links = await openOf(user)
      return links.flatMap((link) =>
        link.created_by === null || !isEntry(link)
          ? []
          : [{ user: link.created_by, name: link.created_by_name ?? '' }],
      )
    },

    useUp: async (token, failWith) => {
      const { link, version } = await read(token, isEntry, failWith)
      return [
        removeDocument(collection, { id: link.id, version }),
        ...(await removals(link.user, entryKinds)),
      ]
    },

    removals,

    removeAll: async (user, kinds = linkKinds) => {
      const removed = await removeAllStored(documents, collection, [{ key: 'user', equals: user }], (found) =>
        kinds.includes(linkIn(found).kind),
      )
      return removed.filter((link) => linkIn(link).of === null).length
    },
  }
}

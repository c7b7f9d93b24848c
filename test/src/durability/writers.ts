/** Writers that go on until the service goes away under them, each noting what it has sent and what was answered. */
import { randomUUID } from 'node:crypto'
import type { Api } from '../harness/http-client.js'
import { createLedger, type Ledger } from './ledger.js'
import type { Random } from './random.js'
import {
  changeArticle,
  changeAttribute,
  createArticle,
  patchFile,
  putFile,
  readArticle,
  readAttribute,
  readFile,
  readMedia,
  removeObject,
  replaceMedia,
  sha256Of,
  uploadFile,
  type FileValue,
} from './written-things.js'

/** The one value that a name has now: it was settled before the writers began. */
const current = <V>(ledger: Ledger<V>, name: string): V => {
  const [value, ...others] = ledger.allowed(name)
  if (others.length > 0 || value === undefined) throw new Error(`${name} isn’t settled`)
  return value
}

export type Writers = {
  /** Writes until the connection breaks, or `isEnough` says so; rejects with whatever else goes wrong. */
  readonly run: (api: Api, isEnough?: () => boolean) => Promise<void>
  /** Reads everything again; throws where something acknowledged is gone or something is half written. */
  readonly verify: (api: Api) => Promise<void>
  readonly acknowledged: () => number
  /** The articles that are there now, as of the last `verify`. */
  readonly articles: () => readonly string[]
}

/** Says so when a service, or the way to it, is gone; everything else is the service’s fault. */
const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String(error.code))

const untilGone = async (isEnough: () => boolean, step: () => Promise<void>): Promise<void> => {
  try {
    while (!isEnough()) await step()
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

const fileName = (value: FileValue | null): string => JSON.stringify(value)

/**
 * Writers of articles, of single attributes and media of one article, and of files; `shared` is an article with a
 * slot that is there already.
 */
export const createWriters = (
  random: Random,
  shared: { readonly article: string; readonly slot: string },
): Writers => {
  const articles = createLedger<string | null>(null)
  const attributes = createLedger<string | null>(null)
  const media = createLedger<string | null>(null)
  const files = createLedger<string>(fileName(null))
  const mediaPath = `/content/${shared.article}/slots/${shared.slot}/media`
  const owned = new Map<string, readonly string[]>()
  let words = 0
  const word = (): string => `w${(words += 1)}`

  const chosen = (writer: string): string | undefined => {
    const ids = owned.get(writer) ?? []
    return ids[random.below(Math.max(ids.length, 1))]
  }

  const own = (writer: string): string => {
    const id = randomUUID()
    owned.set(writer, [...(owned.get(writer) ?? []), id])
    return id
  }

  const articleStep = (api: Api, writer: string) => (): Promise<void> => {
    const chance = random.below(10)
    const id = (chance > 0 ? chosen(writer) : undefined) ?? own(writer)
    const fresh = word()
    if (current(articles, id) === null) return articles.write(id, fresh, () => createArticle(api, id, fresh))
    return chance === 1
      ? articles.write(id, null, () => removeObject(api, `/content/${id}`))
      : articles.write(id, fresh, () => changeArticle(api, id, fresh))
  }

  const attributeStep = (api: Api, name: string) => (): Promise<void> => {
    const fresh = word()
    return attributes.write(name, fresh, () => changeAttribute(api, shared.article, name, fresh))
  }

  const mediaStep = (api: Api) => (): Promise<void> => {
    const fresh = word()
    return media.write('media', fresh, () => replaceMedia(api, mediaPath, fresh))
  }

  const fileStep = (api: Api, writer: string) => (): Promise<void> => {
    const chance = random.below(12)
    const id = (chance > 0 ? chosen(writer) : undefined) ?? own(writer)
    const before = JSON.parse(current(files, id)) as FileValue | null
    const title = word()
    if (before === null)
      return files.write(id, fileName({ title, sha256: null }), () => putFile(api, id, title))
    if (chance === 1) return files.write(id, fileName(null), () => removeObject(api, `/files/${id}`))
    if (chance === 2) return files.write(id, fileName({ ...before, title }), () => patchFile(api, id, title))
    const data = random.bytes(1 + random.below(400_000))
    return files.write(id, fileName({ ...before, sha256: sha256Of(data) }), () => uploadFile(api, id, data))
  }

  const verifyIn = async <V>(ledger: Ledger<V>, read: (name: string) => Promise<V>): Promise<void> => {
    for (const name of ledger.names()) {
      const found = await read(name)
      const allowed = ledger.allowed(name)
      if (!allowed.includes(found))
        throw new Error(`lost: ${name} is ${String(found)} and may be ${allowed.map(String).join(' or ')}`)
      ledger.settle(name, found)
    }
  }

  return {
    run: async (api, isEnough = () => false) => {
      await Promise.all([
        ...['a', 'b', 'c'].map((writer) => untilGone(isEnough, articleStep(api, writer))),
        ...['kicker', 'sub_title', 'meta_title'].map((name) => untilGone(isEnough, attributeStep(api, name))),
        untilGone(isEnough, mediaStep(api)),
        ...['x', 'y', 'z'].map((writer) => untilGone(isEnough, fileStep(api, writer))),
      ])
    },
    verify: async (api) => {
      await verifyIn(articles, (id) => readArticle(api, id))
      await verifyIn(attributes, (name) => readAttribute(api, shared.article, name))
      await verifyIn(media, () => readMedia(api, mediaPath))
      await verifyIn(files, async (id) => fileName(await readFile(api, id)))
    },
    acknowledged: () =>
      [articles, attributes, media, files].reduce((sum, { acknowledged }) => sum + acknowledged(), 0),
    articles: () => articles.names().filter((id) => current(articles, id) !== null),
  }
}

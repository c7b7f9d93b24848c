/** Loads what the parts of a page refer to, each object once, and reads its parts. */
import { file, viewOf, type Resource } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Shape } from '@publishing-service/domain/declare'
import { findAmong, readPlan, type Lookup } from '@publishing-service/domain/engine'
import {
  pathKindOf,
  placed,
  teaser,
  teaserLookups,
  type Placed,
  type Teaser,
} from '@publishing-service/domain/pages'
import { unreadable, type Document } from '@publishing-service/ports'
import { loadReferencedObjects, loadRelated } from '../engine/load-related.js'
import { SessionView, type Counted, type Session } from '../session.js'

/** A document of a collection, in a list of a page. */
export type Listed = { readonly collection: string; readonly document: Document }

const isOfFile = ({ reference }: Lookup): boolean => reference.collection === file.collection

export class PageReader {
  readonly #found = new Map<`${string}/${string}`, JsonObject>()
  readonly find = findAmong(this.#found)

  constructor(readonly session: Session) {}

  /** Loads the objects of look-ups that are not loaded yet: one query, and one for each step of a chain. */
  async load(lookups: readonly Lookup[]): Promise<void> {
    const missing = lookups.filter(
      ({ reference: { collection, id } }) => !this.#found.has(`${collection}/${id}`),
    )
    if (missing.length === 0) return
    const ofFiles = missing.filter(isOfFile)
    const others = missing.filter((lookup) => !isOfFile(lookup))
    const read = await Promise.all([
      loadReferencedObjects(this.session, others),
      // With their placeholders.
      ofFiles.length === 0 ? [] : loadReferencedObjects(this.session, ofFiles, 'full'),
    ])
    for (const found of read) for (const [key, state] of found) this.#found.set(key, state)
  }

  /** Adds an object that is loaded. */
  add(collection: string, { id, value }: Document): void {
    if (value !== unreadable) this.#found.set(`${collection}/${id}`, value)
  }

  view(id: string, counted?: Counted): SessionView {
    const { find } = this
    return new SessionView(this.session, id, {
      find,
      ...(counted === undefined ? {} : { counted }),
    })
  }

  /** What the views of states of a shape refer to. */
  lookups(shape: Shape, states: readonly JsonObject[]): readonly Lookup[] {
    const plan = readPlan(shape, this.session)
    return states.flatMap((state) => plan.lookups(state))
  }

  /** An object as GET returns it; what it refers to is loaded. */
  async object(resource: Resource, id: string, state: JsonObject): Promise<JsonObject> {
    const { counts } = readPlan(resource, this.session)
    const countings = counts.map((count) => ({ count, id }))
    const { counted } = await loadRelated(this.session, [], countings)
    return viewOf(resource, state, this.view(id, counted))
  }

  /** An object with its state, as far as the role sees it. */
  placed(collection: string, id: string | null): Placed | null {
    return placed(collection, id, this.view(id ?? ''))
  }

  /** What the teasers of loaded objects refer to. */
  teaserLookups(collection: string, ids: readonly string[]): readonly Lookup[] {
    const kind = pathKindOf(collection)
    return ids.flatMap((id) => {
      const state = this.find(collection, id)
      return kind === undefined || state === undefined ? [] : teaserLookups(kind, state, this.session)
    })
  }

  /** The teasers of documents, in their order. */
  async teasers(listed: readonly Listed[]): Promise<readonly Teaser[]> {
    for (const { collection, document } of listed) this.add(collection, document)
    await this.load(
      listed.flatMap(({ collection, document }) => this.teaserLookups(collection, [document.id])),
    )
    return listed.flatMap(({ collection, document }) => {
      const found = this.placed(collection, document.id)
      return found === null ? [] : [teaser.read(found)]
    })
  }
}

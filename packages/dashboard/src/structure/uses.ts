/** Which lists can be filtered by the objects that they use. */
import type { JsonObject } from '@publishing-service/domain/json'
import type { FilterField, ResourceModel } from '../model.js'
import { publicationOf } from '../publication/zone-time.js'

export type User = { readonly resource: ResourceModel; readonly filter: string }

/** The filter `files` selects what uses files, and a filter by a reference what refers to an object. */
const selects = ({ name, value }: FilterField, collection: string): boolean =>
  name === collection || (value.kind === 'references' && value.collection === collection)

/** The resources whose objects can use those of a collection, each with its filter. */
export const usersOf = (resources: readonly ResourceModel[], collection: string): readonly User[] =>
  resources.flatMap((resource) => {
    const filter = resource.filters.findLast((each) => selects(each, collection))
    return filter === undefined ? [] : [{ resource, filter: filter.name }]
  })

/** Whether the public sees an object; objects without a state are always public. */
export const isLive = ({ state, issued }: JsonObject, now: string): boolean =>
  state === undefined || state === 'approved' || publicationOf(state, issued, now) === 'live'

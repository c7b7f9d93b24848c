/** Tags that a source knows by their names only. */
import {
  importedObject,
  importRecord,
  type ImportedObject,
  type ImportRecord,
} from '@publishing-service/domain/imports'
import { slugOf } from '@publishing-service/domain/paths'
import { derivedUuid } from './derived-uuid.js'
import { plainLine, shortened } from './plain-text.js'
import { present } from './present.js'

type TagKind = 'tag' | 'author'

/** The UUID of the tag with a name. */
export const namedTagUuid = (site: string, kind: TagKind, name: string): string =>
  derivedUuid(site, kind, name)

/** The record of the tag with a name; an author is a person. */
export const namedTagRecord = (site: string, kind: TagKind, name: string): ImportRecord => {
  const title = shortened(plainLine(name) || name, 255)
  const attributes = present({
    last_name_or_title: title,
    urlname: slugOf(title).slice(0, 240),
    type: kind === 'author' ? 'person' : 'default',
  })
  const object = importedObject({ collection: 'tags', id: namedTagUuid(site, kind, name), attributes })
  return importRecord({ origin: { source: `${kind} ${name}`, title, line: null }, object })
}

/** What an object has that tags with these names describe. */
export const describedBy = (site: string, names: readonly string[]): ImportedObject['tags'] =>
  [...new Set(names)].map((name) => ({
    tag: namedTagUuid(site, 'tag', name),
    predicate: 'describes',
    attributes: {},
  }))

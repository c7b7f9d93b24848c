/**
 * Invalid references: to unknown objects, to objects of another instance and to objects of another kind
 * (docs/behaviour/writing.md#references, docs/behaviour/writing.md#isolation).
 */
import { randomUUID } from 'node:crypto'
import {
  resources,
  type Json,
  type Reference,
  type Schema,
  type StoredAttribute,
} from '@publishing-service/domain'
import { expectOk } from '../harness/expect-response.js'
import { storeFile } from '../harness/stored-files.js'
import { someText } from '../harness/small-files.js'
import { replacedAt } from '../harness/valid-bodies.js'
import { sampleOf } from '../harness/value-arbitraries.js'
import type { Fixture } from './service-fixture.js'
import type { InvalidValue } from './invalid-values.js'

/** Values of an attribute with an invalid reference. Empty for an attribute without references. */
export type InvalidReferences = (type: StoredAttribute['type']) => readonly InvalidValue[]

/** A value with an entry in every list and every attribute, so that it contains every possible reference. */
export const fullSampleOf = (schema: Schema): Json => {
  if (schema.type === 'array' && schema.format === undefined) return [fullSampleOf(schema.items ?? {})]
  if (schema.type !== 'object') return sampleOf(schema)
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, each]) => [name, fullSampleOf(each)]),
  )
}

/** Creates files that are neither image nor audio, and returns a function that generates invalid references. */
export const prepareInvalidReferences = async (fixture: Fixture): Promise<InvalidReferences> => {
  const { editor } = fixture.home
  const text = (await storeFile(editor, { mimetype: 'text/plain', data: someText })).id
  const empty = randomUUID()
  expectOk(await editor.put(`/files/${empty}`, { title: 'x', filename: 'x' }))

  const invalidIds = ({ collection, media }: Reference): readonly string[] => {
    const otherMedia = media === 'image' ? 'audio' : 'image'
    const wrongKind =
      media === undefined ? [] : [text, empty, fixture.candidates({ collection, media: otherMedia })[0] ?? '']
    const otherCollections = resources
      .filter((each) => each.collection !== collection)
      .map((each) => fixture.ids.get(each.collection) ?? '')
    return [
      randomUUID(),
      '00000000-0000-0000-0000-000000000000',
      fixture.idsElsewhere.get(collection) ?? '',
      ...(media === 'image' ? [fixture.imageElsewhere] : []),
      ...wrongKind,
      ...otherCollections,
    ]
  }

  return (type) => {
    const probe = fullSampleOf(type.schema)
    return (type.references?.(probe) ?? []).flatMap((reference) =>
      invalidIds(reference).map((id) => ({
        why: 'names no object of this kind here',
        value: replacedAt(probe, reference.path === '' ? [] : reference.path.split('.'), id),
        path: reference.path,
      })),
    )
  }
}

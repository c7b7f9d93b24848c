/**
 * References that name nothing they may: unknown objects, another instance's, other kinds
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
import { expectOk } from '../harness/expect-answer.js'
import { storeFile } from '../harness/library.js'
import { someText } from '../harness/small-files.js'
import { replacedAt } from '../harness/valid-bodies.js'
import { sampleOf } from '../harness/value-arbitraries.js'
import type { Stage } from './stage.js'
import type { WrongValue } from './wrong-values.js'

/** The values that an attribute must not take, since a reference in them is dead; none where it has no reference. */
export type DeadReferences = (type: StoredAttribute['type']) => readonly WrongValue[]

/** A value with something in every list and every attribute, so that all references that it can hold are there. */
export const fullSampleOf = (schema: Schema): Json => {
  if (schema.type === 'array' && schema.format === undefined) return [fullSampleOf(schema.items ?? {})]
  if (schema.type !== 'object') return sampleOf(schema)
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, each]) => [name, fullSampleOf(each)]),
  )
}

/** Puts files on the stage that are neither image nor audio, and aims references at them and at what isn't there. */
export const findDeadReferences = async (stage: Stage): Promise<DeadReferences> => {
  const { editor } = stage.home
  const text = (await storeFile(editor, { mimetype: 'text/plain', data: someText })).id
  const empty = randomUUID()
  expectOk(await editor.put(`/files/${empty}`, { title: 'x', filename: 'x' }))

  const deadOf = ({ collection, media }: Reference): readonly string[] => {
    const otherMedia = media === 'image' ? 'audio' : 'image'
    const wrongKind =
      media === undefined ? [] : [text, empty, stage.candidates({ collection, media: otherMedia })[0] ?? '']
    const strangers = resources
      .filter((each) => each.collection !== collection)
      .map((each) => stage.ids.get(each.collection) ?? '')
    return [
      randomUUID(),
      '00000000-0000-0000-0000-000000000000',
      stage.idsElsewhere.get(collection) ?? '',
      ...(media === 'image' ? [stage.imageElsewhere] : []),
      ...wrongKind,
      ...strangers,
    ]
  }

  return (type) => {
    const probe = fullSampleOf(type.schema)
    return (type.references?.(probe) ?? []).flatMap((reference) =>
      deadOf(reference).map((id) => ({
        why: 'names nothing of the kind here',
        value: replacedAt(probe, reference.path === '' ? [] : reference.path.split('.'), id),
        path: reference.path,
      })),
    )
  }
}

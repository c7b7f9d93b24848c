/** References that name nothing they may: unknown objects, another instance's, other kinds (decisions §2.7, §2.9). */
import { randomUUID } from 'node:crypto'
import { resources, type StoredAttribute } from '@publishing-service/domain'
import { expectOk } from '../harness/expect-answer.js'
import { storeFile } from '../harness/library.js'
import { someText } from '../harness/small-files.js'
import { sampleOf } from '../harness/value-arbitraries.js'
import type { Stage } from './stage.js'
import type { WrongValue } from './wrong-values.js'

/** The values that an attribute must not take as a reference; none where it is no reference. */
export type DeadReferences = (type: StoredAttribute['type']) => readonly WrongValue[]

/** Puts files on the stage that are neither image nor audio, and aims references at them and at what isn't there. */
export const findDeadReferences = async (stage: Stage): Promise<DeadReferences> => {
  const { editor } = stage.home
  const text = (await storeFile(editor, { mimetype: 'text/plain', data: someText })).id
  const empty = randomUUID()
  expectOk(await editor.put(`/files/${empty}`, { title: 'x', filename: 'x' }))

  return (type) => {
    const probe = sampleOf(type.schema)
    const [reference] = typeof probe === 'string' ? (type.references?.(probe) ?? []) : []
    if (reference === undefined) return []
    const { media, collection } = reference
    const elsewhere = collection === 'files' ? [stage.imageElsewhere] : []
    const otherMedia = media === 'image' ? 'audio' : 'image'
    const wrongKind =
      media === undefined ? [] : [text, empty, stage.candidates({ collection, media: otherMedia })[0] ?? '']
    const strangers = resources
      .filter((each) => each.collection !== collection)
      .map((each) => stage.ids.get(each.collection) ?? '')
    const dead = [
      randomUUID(),
      '00000000-0000-0000-0000-000000000000',
      ...elsewhere,
      ...wrongKind,
      ...strangers,
    ]
    return dead.map((value) => ({ why: 'names nothing of the kind here', value, path: '' }))
  }
}

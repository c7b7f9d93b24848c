import { resourceOf } from '@publishing-service/domain'
import type { NewDocument, Selection } from '@publishing-service/ports'

type Stored = Pick<NewDocument, 'value'>

/** The unique texts of objects, for a trial. Those of users and keys, which no import writes, are not known. */
export const uniqueTexts = {
  of: (collection: string, { value }: Stored): string | null =>
    resourceOf(collection)?.uniqueText(value) ?? null,
  /** Selects the objects that may have the unique text of this one. */
  sharing: (collection: string, { value }: Stored): Selection => {
    const key = resourceOf(collection)?.unique?.(value)?.attribute ?? 'urlname'
    return { where: [{ key, equals: String(value[key]) }] }
  },
}

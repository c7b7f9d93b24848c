import { useCallback, useState } from 'react'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { isSame } from '../../json.js'

/** An object that is edited: what is stored, and the changes. */
export type Draft = {
  readonly stored: JsonObject
  readonly changes: JsonObject
  readonly value: JsonObject
  readonly isChanged: boolean
  readonly set: (name: string, value: Json) => void
  /** Drops the changes. */
  readonly reset: () => void
  /** Drops these changes. What was typed meanwhile remains. */
  readonly dropSaved: (saved: JsonObject) => void
}

export const useDraft = (stored: JsonObject): Draft => {
  const [changes, setChanges] = useState<JsonObject>({})
  const set = useCallback(
    (name: string, value: Json) =>
      setChanges((current) => {
        const { [name]: _former, ...rest } = current
        return isSame(stored[name], value) ? rest : { ...rest, [name]: value }
      }),
    [stored],
  )
  const reset = useCallback(() => setChanges({}), [])
  const dropSaved = useCallback(
    (saved: JsonObject) =>
      setChanges((current) =>
        Object.fromEntries(Object.entries(current).filter(([name, value]) => !isSame(saved[name], value))),
      ),
    [],
  )
  return {
    stored,
    changes,
    value: { ...stored, ...changes },
    isChanged: Object.keys(changes).length > 0,
    set,
    reset,
    dropSaved,
  }
}

import { useQueryClient, type InvalidateQueryFilters } from '@tanstack/react-query'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { announce } from '../layout/announcer.js'
import { useTexts } from '../texts/texts.js'
import type { Versioned } from './api.js'
import { useService } from './place.js'
import { isServiceError } from './session.js'

export type SaveState = {
  /** By attribute. */
  readonly faults: Readonly<Record<string, string>>
  readonly error: unknown
  /** The version that another client saved meanwhile. */
  readonly conflict: Versioned | null
  readonly isSaving: boolean
  /** The last changes are saved. */
  readonly isSaved: boolean
}

const idle: SaveState = { faults: {}, error: null, conflict: null, isSaving: false, isSaved: false }

const textOf = (fault: unknown): string => (typeof fault === 'string' ? fault : JSON.stringify(fault))

/** The first name of a path such as `items.0.title` is the attribute. */
const faultsIn = (info: Readonly<Record<string, unknown>>): SaveState['faults'] =>
  Object.fromEntries(
    Object.entries(info).map(([path, fault]) => {
      const [name = path, ...rest] = path.split('.')
      return [name, rest.length === 0 ? textOf(fault) : `${rest.join('.')}: ${textOf(fault)}`]
    }),
  )

/**
 * Sends changes. `write` sends them; `read` reads the current version if another client has changed the object. What the
 * user typed is not touched by a failure. What the filters select is read again afterwards, or everything of the instance.
 */
export const useSave = (
  write: (changes: JsonObject, tag: string | null) => Promise<Versioned>,
  read: (() => Promise<Versioned>) | null,
  filters?: InvalidateQueryFilters,
) => {
  const { instance } = useService()
  const queries = useQueryClient()
  const { form } = useTexts()
  const [state, setState] = useState<SaveState>(idle)

  /** Saves over the version with this tag. Returns the saved version; null if it was not saved. */
  const save = async (changes: JsonObject, tag: string | null): Promise<Versioned | null> => {
    setState({ ...idle, isSaving: true })
    try {
      const saved = await write(changes, tag)
      setState({ ...idle, isSaved: true })
      announce(form.changesSaved)
      await queries.invalidateQueries(filters ?? (instance === null ? {} : { queryKey: [instance.iid] }))
      return saved
    } catch (error) {
      if (isServiceError(error) && error.status === 412 && read !== null)
        setState({ ...idle, conflict: await read() })
      else setState({ ...idle, error, faults: isServiceError(error) ? faultsIn(error.faults) : {} })
      return null
    }
  }
  return { ...state, save, clear: () => setState(idle) }
}

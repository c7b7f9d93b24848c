import { useQueryClient, type InvalidateQueryFilters } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * Something that is sent at once: whether it runs, and why it failed. What the filters
 * select is read again afterwards, or everything.
 */
export const useAction = (filters: InvalidateQueryFilters = {}) => {
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  /** Returns whether it was done. */
  const run = async (send: () => Promise<unknown>): Promise<boolean> => {
    setError(null)
    setRunning(true)
    try {
      await send()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setRunning(false)
      void queries.invalidateQueries(filters)
    }
  }
  return { error, isRunning, run }
}

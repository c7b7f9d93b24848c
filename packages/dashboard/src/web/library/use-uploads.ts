import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useInstance } from '../service/place.js'
import { useUnsaved } from '../service/unsaved.js'
import { checkFile, createFile } from './upload-file.js'

/** Uploads that run at the same time. */
const concurrent = 2

export type UploadState = {
  readonly id: number
  readonly file: File
  /** Of the metadata, once it exists: a repeated upload uses it. */
  readonly uuid: string | null
  readonly sent: number
  readonly phase: 'waiting' | 'running' | 'done' | 'failed'
  /** Why it failed; null if it was cancelled. */
  readonly error: unknown
}

/** Uploads of files: first the metadata, then the data, with progress. One call of `add` or `retry` runs after another. */
export const useUploads = (onUploaded?: (uploads: readonly UploadState[]) => void) => {
  const { api, iid } = useInstance()
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<readonly UploadState[]>([])
  const aborts = useRef(new Map<number, AbortController>())
  const lastId = useRef(0)
  const lastRun = useRef(Promise.resolve())
  const isRunning = uploads.some(({ phase }) => phase === 'waiting' || phase === 'running')
  useUnsaved(isRunning)

  const change = (id: number, part: Partial<UploadState>): void =>
    setUploads((current) => current.map((each) => (each.id === id ? { ...each, ...part } : each)))

  const upload = async (state: UploadState, signal: AbortSignal): Promise<UploadState> => {
    const { id, file } = state
    if (signal.aborted) return { ...state, phase: 'failed', error: null }
    let { uuid } = state
    change(id, { phase: 'running', error: null, sent: 0 })
    try {
      await checkFile(file)
      if (uuid === null) {
        uuid = await createFile(api, file)
        change(id, { uuid })
      }
      await api.client.upload({
        iid,
        uuid,
        data: file,
        signal,
        onProgress: ({ sent }) => change(id, { sent }),
      })
      change(id, { phase: 'done', sent: file.size })
      return { ...state, uuid, phase: 'done' }
    } catch (failure) {
      const failed = { phase: 'failed', error: signal.aborted ? null : failure } as const
      change(id, failed)
      return { ...state, uuid, ...failed }
    }
  }

  const run = async (states: readonly UploadState[]): Promise<void> => {
    const left = states.map((state) => {
      const abort = new AbortController()
      aborts.current.set(state.id, abort)
      return { state, signal: abort.signal }
    })
    const done: UploadState[] = []
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const ended = await upload(next.state, next.signal)
        if (ended.phase === 'done') done.push(ended)
      }
    }
    const workers = lastRun.current.then(() => Promise.all(Array.from({ length: concurrent }, work)))
    lastRun.current = workers.then(() => undefined)
    await workers
    await queries.invalidateQueries({ queryKey: [iid] })
    if (done.length > 0) onUploaded?.(done)
  }

  return {
    uploads,
    isRunning,
    add: (files: readonly File[]): void => {
      const states = files.map((file): UploadState => {
        lastId.current += 1
        return { id: lastId.current, file, uuid: null, sent: 0, phase: 'waiting', error: null }
      })
      setUploads((current) => [...current.filter(({ phase }) => phase !== 'done'), ...states])
      void run(states)
    },
    retry: (state: UploadState): void => {
      change(state.id, { phase: 'waiting', error: null, sent: 0 })
      void run([state])
    },
    /** A cancelled upload can be repeated like a failed one. */
    cancel: (id: number): void => {
      aborts.current.get(id)?.abort()
      change(id, { phase: 'failed', error: null })
    },
    clear: (): void =>
      setUploads((current) => current.filter(({ phase }) => phase !== 'done' && phase !== 'failed')),
  }
}

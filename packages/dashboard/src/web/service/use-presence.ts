import { useEffect, useRef, useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { itemsIn } from '../../json.js'
import { useInstance, useService } from './place.js'
import { isServiceError, NotSignedIn, session, type SessionState } from './session.js'
import { hasUnsaved } from './unsaved.js'

/** Milliseconds between heartbeats: a user is gone after 30 seconds without one. */
const interval = 10_000

/** Whether the service refuses all further heartbeats: the session has ended, or the role or the object is gone. */
const isRefusal = (error: unknown): boolean =>
  error instanceof NotSignedIn || (isServiceError(error) && [403, 404].includes(error.status))

/**
 * Says that the user has the object at this path open, while the page is open and visible; nothing for null. Returns who
 * else has, and a function for an object that is deleted, which nobody has open any more.
 */
export const usePresence = (path: string | null) => {
  const { api, background } = useInstance()
  const { me } = useService()
  const [present, setPresent] = useState<readonly JsonObject[]>([])
  const isDeleted = useRef(false)
  useEffect(() => {
    if (path === null) return undefined
    let isOpen = true
    /** The state of the session in which a heartbeat was refused. Each sign-in makes another. */
    let refused: SessionState | null = null
    const send = async (): Promise<void> => {
      // Who has typed something is asked to sign in before it is saved; who reads is not.
      const through = hasUnsaved() ? api : background
      // Without a response nobody is shown, which prevents no work.
      const found = await through.enter(`${path}/presence`).catch((error: unknown) => {
        if (isRefusal(error)) refused = session.get()
        return {}
      })
      if (isOpen) setPresent(itemsIn(found))
    }
    const beat = (): void => {
      const state = session.get()
      const isSilent = state.phase !== 'signed-in' || (state === refused && !hasUnsaved())
      if (document.visibilityState === 'visible' && !isDeleted.current && !isSilent) void send()
    }
    const leave = (): void => {
      if (!isDeleted.current) background.leave(`${path}/presence`).catch(() => null)
    }
    beat()
    const timer = setInterval(beat, interval)
    document.addEventListener('visibilitychange', beat)
    window.addEventListener('pagehide', leave)
    return () => {
      isOpen = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', beat)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [api, background, path])
  return {
    others: present.filter(({ user }) => user !== me.uuid),
    setDeleted: (): void => {
      isDeleted.current = true
    },
  }
}

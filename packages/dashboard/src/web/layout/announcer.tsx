import { VisuallyHidden } from '@mantine/core'
import { useSyncExternalStore } from 'react'

let announcement = { text: '', count: 0 }
const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Has screen readers say a text, also if it is the same as before. */
export const announce = (text: string): void => {
  announcement = { text, count: announcement.count + 1 }
  for (const listener of listeners) listener()
}

/** What screen readers say while the focus is elsewhere: which page has opened, and that something is saved. */
export const Announcer = () => {
  const { text, count } = useSyncExternalStore(subscribe, () => announcement)
  return (
    <VisuallyHidden role="status">
      <span key={count}>{text}</span>
    </VisuallyHidden>
  )
}

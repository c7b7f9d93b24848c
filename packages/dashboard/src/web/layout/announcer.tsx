import { VisuallyHidden } from '@mantine/core'
import { createStore } from '../service/store.js'

const announcement = createStore({ text: '', count: 0 })

/** Has screen readers say a text, also if it is the same as before. */
export const announce = (text: string): void =>
  announcement.set({ text, count: announcement.get().count + 1 })

/** What screen readers say while the focus is elsewhere: which page has opened, and that something is saved. */
export const Announcer = () => {
  const { text, count } = announcement.use()
  return (
    <VisuallyHidden role="status">
      <span key={count}>{text}</span>
    </VisuallyHidden>
  )
}

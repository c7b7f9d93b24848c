import { Title } from '@mantine/core'
import { use, useEffect, useRef } from 'react'
import { CurrentPlace } from '../service/place.js'
import { useTexts } from '../texts/texts.js'
import { announce } from './announcer.js'

/** Names the window after the page, and announces that it has opened. */
export const useWindowTitle = (page: string): void => {
  const { appName } = useTexts()
  const place = use(CurrentPlace)?.instance?.title ?? appName
  useEffect(() => {
    document.title = `${page} – ${place}`
  }, [page, place])
  // A title that is typed is not announced.
  const opened = useRef(page)
  useEffect(() => announce(opened.current), [])
}

type TitleProps = {
  readonly children: string | undefined
  /** The name of the window, if it is another. */
  readonly windowTitle?: string
}

/** The heading of a page. It names the window, and takes the focus when the page opens, so that readers announce it. */
export const PageTitle = ({ children = '', windowTitle = children }: TitleProps) => {
  useWindowTitle(windowTitle)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <Title order={1} size="h2" tabIndex={-1} ref={heading} className="page-title">
      {children}
    </Title>
  )
}

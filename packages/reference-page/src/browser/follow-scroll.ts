/** Marks the current part of the page in the table of contents, and scrolls the table to it. */

/** Pixels from the top of the window within which a part is current: the scroll padding, plus a margin. */
const margin = 100

/** The target of a link; on the reference page, the element that the renderer has drawn. */
export const targetOf = (hash: string): HTMLElement | null => {
  const id = decodeURIComponent(hash.slice(1))
  const [, group, operation] = id.split('/')
  if (!id.startsWith('/') || group === undefined) return document.getElementById(id)
  const drawn = operation === undefined ? `operations-tag-${group}` : `operations-${group}-${operation}`
  return document.getElementById(drawn) ?? document.getElementById(id)
}

const isReached = (link: HTMLAnchorElement): boolean => {
  const target = targetOf(link.hash)
  return target !== null && target.getClientRects().length > 0 && target.getBoundingClientRect().top <= margin
}

/** Scrolls only the list, not the page. */
const show = (link: HTMLElement, list: HTMLElement): void => {
  const [at, of] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  if (at.top < of.top || at.bottom > of.bottom)
    list.scrollBy({ top: at.top - of.top - (of.height - at.height) / 2 })
}

export const followScroll = (): void => {
  const list = document.querySelector<HTMLElement>('aside')
  if (list === null) return
  const links = [...list.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
  let current: HTMLAnchorElement | undefined
  let isScheduled = false
  const follow = (): void => {
    isScheduled = false
    const read = links.findLast(isReached)
    if (read === current) return
    current?.removeAttribute('aria-current')
    current = read
    if (read === undefined) return
    read.setAttribute('aria-current', 'location')
    show(read, list)
  }
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    requestAnimationFrame(follow)
  }
  window.addEventListener('scroll', schedule, { passive: true })
  window.addEventListener('resize', schedule)
  schedule()
}

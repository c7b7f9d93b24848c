/** Marks the part of the page that is read in the list of its parts, and scrolls the list to it. */

/** Pixels from the top of the window within which a part counts as reached: the scroll padding, and some. */
const reach = 100

/** The place that a link of the list leads to; on the reference page one of the renderer’s own. */
export const placeOf = (hash: string): HTMLElement | null => {
  const id = decodeURIComponent(hash.slice(1))
  const [, group, operation] = id.split('/')
  if (!id.startsWith('/') || group === undefined) return document.getElementById(id)
  const drawn = operation === undefined ? `operations-tag-${group}` : `operations-${group}-${operation}`
  return document.getElementById(drawn) ?? document.getElementById(id)
}

const isReached = (link: HTMLAnchorElement): boolean => {
  const place = placeOf(link.hash)
  return place !== null && place.getClientRects().length > 0 && place.getBoundingClientRect().top <= reach
}

/** The list scrolls alone: the page stays where it is. */
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
  let isAsked = false
  const follow = (): void => {
    isAsked = false
    const read = links.findLast(isReached)
    if (read === current) return
    current?.removeAttribute('aria-current')
    current = read
    if (read === undefined) return
    read.setAttribute('aria-current', 'location')
    show(read, list)
  }
  const ask = (): void => {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(follow)
  }
  window.addEventListener('scroll', ask, { passive: true })
  window.addEventListener('resize', ask)
  ask()
}

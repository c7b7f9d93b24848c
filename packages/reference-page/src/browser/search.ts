/** The search over all pages: a combobox as in the ARIA practices. The key `/` focuses it. */
import { rankEntries, type Entry } from './rank-entries.js'

const maxResults = 12

const option = (entry: Entry, index: number, root: string): HTMLElement => {
  const item = document.createElement('li')
  item.id = `result-${index}`
  item.setAttribute('role', 'option')
  item.setAttribute('aria-selected', 'false')
  item.dataset['href'] = `${root}${entry.href}`
  const title = document.createElement('b')
  title.textContent = entry.title
  const kind = document.createElement('span')
  kind.textContent = entry.kind
  item.append(title, ' ', kind)
  return item
}

export const addSearch = (): void => {
  const box = document.querySelector<HTMLElement>('#search')
  const input = box?.querySelector('input')
  const list = box?.querySelector<HTMLElement>('#results')
  const address = document.body.dataset['search']
  if (!box || !input || !list || address === undefined) return
  const root = document.documentElement.dataset['root'] ?? './'
  let loading: Promise<readonly Entry[]> | null = null
  let chosen = -1

  const load = (): Promise<readonly Entry[]> => {
    loading ??= fetch(address)
      .then((response) => response.json() as Promise<readonly Entry[]>)
      .catch((error: unknown) => {
        // The next input tries again.
        loading = null
        throw error
      })
    return loading
  }

  const close = (): void => {
    list.hidden = true
    chosen = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const choose = (index: number): void => {
    const options = [...list.querySelectorAll('[role="option"]')]
    chosen = options.length === 0 ? -1 : (index + options.length) % options.length
    for (const [at, each] of options.entries()) each.setAttribute('aria-selected', String(at === chosen))
    const now = options[chosen]
    if (now === undefined) return
    input.setAttribute('aria-activedescendant', now.id)
    now.scrollIntoView({ block: 'nearest' })
  }
  const show = async (): Promise<void> => {
    const query = input.value
    const found = rankEntries(await load(), query, maxResults)
    if (query !== input.value) return
    if (query.trim() === '') return close()
    list.replaceChildren(...found.map((entry, index) => option(entry, index, root)))
    if (found.length === 0) {
      const none = document.createElement('li')
      none.className = 'none'
      none.textContent = `No results for «${query.trim()}».`
      list.append(none)
    }
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    choose(0)
  }

  box.hidden = false
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', () => void show())
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') list.querySelector<HTMLElement>('[aria-selected="true"]')?.click()
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
  list.addEventListener('click', ({ target }) => {
    const href =
      target instanceof Element ? target.closest<HTMLElement>('[data-href]')?.dataset['href'] : null
    close()
    if (typeof href === 'string') window.location.assign(href)
  })
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) close()
  })
  document.addEventListener('keydown', (event) => {
    const { target } = event
    const isWriting =
      target instanceof HTMLElement &&
      (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
    if (event.key !== '/' || isWriting || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}

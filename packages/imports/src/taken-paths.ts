/** Names in public paths, so that no two objects of an import have the same path. */
import { foldedPath, slugOf, urlnameOfText } from '@publishing-service/domain/paths'

/** Less than the longest urlname, so that a number can be appended. */
const longest = 240

/** The urlname of a slug or, where that has no letter, of a title; else the spare name. */
export const urlnameFrom = (slug: string, title: string, spare: string): string => {
  const name = urlnameOfText(slug).slice(0, longest)
  return name === '' || /^\.+$/.test(name) ? slugOf(title).slice(0, longest) || spare : name
}

export type TakenPath = { readonly urlname: string; readonly path: string; readonly isChanged: boolean }

export class TakenPaths {
  readonly #paths = new Set<string>()
  /** The numbers that were tried, by the wanted path. */
  readonly #numbers = new Map<string, number>()

  /** The path below a parent, such as `/news/`, with the wanted urlname or, if it is taken, with a number at its end. */
  take(parent: string, wanted: string): TakenPath {
    const first = `${parent}${wanted}/`
    for (let number = (this.#numbers.get(first) ?? 0) + 1; ; number += 1) {
      const urlname = number === 1 ? wanted : `${wanted}-${number}`
      const path = `${parent}${urlname}/`
      const folded = foldedPath(path)
      if (this.#paths.has(folded)) continue
      this.#paths.add(folded)
      this.#numbers.set(first, number)
      return { urlname, path, isChanged: number > 1 }
    }
  }
}

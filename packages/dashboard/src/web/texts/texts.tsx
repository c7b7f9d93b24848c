import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { isLanguage, textsIn, type Language, type Texts } from '../../texts/languages.js'
import { readable } from '../../texts/readable.js'

const storageKey = 'dashboard-language'

const preferred = (): Language => {
  const stored = localStorage.getItem(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.language.startsWith('de') ? 'de' : 'en'
}

/** The texts of the language that was chosen last in this browser, otherwise of the language of the browser. */
export const firstTexts = (): Promise<Texts> => textsIn(preferred())

type Localized = { readonly texts: Texts; readonly setLanguage: (language: Language) => void }

const Context = createContext<Localized | null>(null)

type ProviderProps = { readonly first: Texts; readonly children: ReactNode }

/** Other languages are loaded when they are chosen. */
export const TextsProvider = ({ first, children }: ProviderProps) => {
  const [texts, setTexts] = useState(first)
  const chosen = useRef(first.locale)
  useEffect(() => {
    document.documentElement.lang = texts.locale
  }, [texts])
  const setLanguage = useCallback((next: Language) => {
    chosen.current = next
    localStorage.setItem(storageKey, next)
    const load = async () => {
      const loaded = await textsIn(next)
      if (chosen.current === next) setTexts(loaded)
    }
    void load()
  }, [])
  const localized = useMemo(() => ({ texts, setLanguage }), [texts, setLanguage])
  return <Context value={localized}>{children}</Context>
}

const useLocalized = (): Localized => {
  const localized = use(Context)
  if (localized === null) throw new Error('no texts are loaded')
  return localized
}

export const useTexts = (): Texts => useLocalized().texts
export const useSetLanguage = () => useLocalized().setLanguage

/** The text with a name that the service has sent; undefined if there is none. */
export const textNamed = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined

/** The label of an attribute; made from its name if the texts have none. */
export const labelOf = ({ attributes }: Texts, name: string): string =>
  textNamed(attributes, name) ?? readable(name)

/** The plural name of a collection or a page. */
export const collectionName = (collections: Texts['collections'], name: string): string =>
  textNamed(collections, name) ?? name

/** A word of an enumeration, or the name of a resource. Other texts are unchanged. */
export const wordOf = ({ values }: Texts, value: string): string =>
  textNamed(values, value) ?? (/^[a-z]+(_[a-z]+)*$/.test(value) ? readable(value) : value)

const plainText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What was typed, with the labels of the attributes. */
export const draftText = (texts: Texts, changes: JsonObject): string =>
  Object.entries(changes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${labelOf(texts, name)}:\n${plainText(value)}`)
    .join('\n\n')

import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Json, JsonObject } from '@publishing-service/domain'
import { readable } from '../../texts/model-words.js'
import { de } from './de.js'
import { en, type Texts } from './en.js'

const languages = { en, de }
export type Language = keyof typeof languages

export const languageOptions = Object.entries(languages).map(([value, { language }]) => ({
  value,
  label: language,
}))

const storageKey = 'dashboard-language'

const isLanguage = (name: string | null): name is Language => name !== null && name in languages

const preferred = (): Language => {
  const stored = localStorage.getItem(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.language.startsWith('de') ? 'de' : 'en'
}

type Localized = {
  readonly texts: Texts
  readonly language: Language
  readonly setLanguage: (language: Language) => void
}

const Context = createContext<Localized>({ texts: en, language: 'en', setLanguage: () => undefined })

/** The language of the interface: the chosen one, otherwise that of the browser. */
export const TextsProvider = ({ children }: { readonly children: ReactNode }) => {
  const [language, choose] = useState(preferred)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const localized = useMemo(
    () => ({
      texts: languages[language],
      language,
      setLanguage: (next: Language) => {
        localStorage.setItem(storageKey, next)
        choose(next)
      },
    }),
    [language],
  )
  return <Context value={localized}>{children}</Context>
}

export const useLanguage = () => useContext(Context)
export const useTexts = (): Texts => useContext(Context).texts

/** The label of an attribute; made from its name if the texts have none. */
export const labelOf = ({ attributes }: Texts, name: string): string => attributes[name] ?? readable(name)

/** The help for an attribute; empty if it would only repeat the label. In English, it is the description of the API. */
export const helpOf = (
  texts: Texts,
  { name, description }: { name: string; description: string },
): string => {
  const text = texts.help[name] ?? (texts.locale === en.locale ? description : '')
  return text.replace(/\.$/, '').toLowerCase() === labelOf(texts, name).toLowerCase() ? '' : text
}

/** A word of an enumeration. Other texts are unchanged. */
export const wordOf = ({ values }: Texts, value: string): string =>
  values[value] ?? (/^[a-z]+(_[a-z]+)*$/.test(value) ? readable(value) : value)

/** The name of one object of a resource, such as “Section”. */
export const singularOf = (
  { singular }: Texts,
  { collection, name }: { readonly collection: string; readonly name: string },
): string => singular[collection] ?? readable(name)

const plainText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What was typed, with the labels of the attributes. */
export const draftText = (texts: Texts, changes: JsonObject): string =>
  Object.entries(changes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${labelOf(texts, name)}:\n${plainText(value)}`)
    .join('\n\n')

import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { attributeWords, helpWords, readable, valueWords, type Words } from '../../texts/model-words.js'
import { operationWords } from '../../texts/operation-words.js'
import { interfaceTexts } from './interface-texts.js'

export type Language = 'en' | 'de'

const textsIn = (language: Language) => {
  const wordsIn = (words: Words): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(words).map(([name, word]) => {
        const [english, german] = typeof word === 'string' ? [readable(name), word] : word
        return [name, language === 'en' ? english : german]
      }),
    )
  return {
    ...interfaceTexts((english, german) => (language === 'en' ? english : german)),
    attributes: wordsIn(attributeWords),
    help: wordsIn(helpWords),
    values: wordsIn(valueWords),
    operations: wordsIn(operationWords),
  }
}

export type Texts = ReturnType<typeof textsIn>

const languages: Readonly<Record<Language, Texts>> = { en: textsIn('en'), de: textsIn('de') }

export const languageOptions = Object.entries(languages).map(([value, { language }]) => ({
  value,
  label: language,
}))

const storageKey = 'dashboard-language'

export const isLanguage = (name: string | null): name is Language =>
  name !== null && Object.hasOwn(languages, name)

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

const Context = createContext<Localized>({
  texts: languages.en,
  language: 'en',
  setLanguage: () => undefined,
})

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

/** A word of an enumeration, or the name of a resource. Other texts are unchanged. */
export const wordOf = ({ values }: Texts, value: string): string =>
  values[value] ?? (/^[a-z]+(_[a-z]+)*$/.test(value) ? readable(value) : value)

const plainText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What was typed, with the labels of the attributes. */
export const draftText = (texts: Texts, changes: JsonObject): string =>
  Object.entries(changes)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${labelOf(texts, name)}:\n${plainText(value)}`)
    .join('\n\n')

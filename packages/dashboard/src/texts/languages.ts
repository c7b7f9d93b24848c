/** The languages of the dashboard. */
import type { User } from '@publishing-service/access'
import { fillIn } from './fill-in.js'
import { textsOf, type Words } from './texts.js'

export type Language = NonNullable<User['language']>

/** Each language is a separate file, which browsers load if it is chosen. */
const files: Readonly<Record<Language, () => Promise<{ readonly default: Words }>>> = {
  en: () => import('./en.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
}

export const isLanguage = (name: string | null): name is Language =>
  name !== null && Object.hasOwn(files, name)

export const languages: readonly Language[] = Object.keys(files).filter(isLanguage)

export const wordsIn = async (language: Language): Promise<Words> => (await files[language]()).default

export const textsIn = async (language: Language) => ({
  ...textsOf(await wordsIn(language), fillIn(language)),
  locale: language,
})

export type Texts = Awaited<ReturnType<typeof textsIn>>

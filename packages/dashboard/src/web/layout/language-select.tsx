import { NativeSelect } from '@mantine/core'
import { languageOptions, useLanguage } from '../texts/texts.js'

export const LanguageSelect = () => {
  const { language, setLanguage, texts } = useLanguage()
  return (
    <NativeSelect
      aria-label={texts.shell.interfaceLanguage}
      data={languageOptions}
      value={language}
      onChange={(event) => setLanguage(event.currentTarget.value)}
      size="xs"
      miw={100}
    />
  )
}

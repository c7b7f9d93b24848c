import { NativeSelect } from '@mantine/core'
import { useLanguageOfAccount } from '../service/account.js'
import { isLanguage, languageOptions, useLanguage, type Language } from '../texts/texts.js'

type SelectProps = { readonly label?: string; readonly onChange: (language: Language) => void }

const Select = ({ label, onChange }: SelectProps) => {
  const { language, texts } = useLanguage()
  return (
    <NativeSelect
      {...(label === undefined ? { 'aria-label': texts.shell.interfaceLanguage, size: 'xs' } : { label })}
      data={languageOptions}
      value={language}
      onChange={({ currentTarget: { value } }) => {
        if (isLanguage(value)) onChange(value)
      }}
      miw={100}
    />
  )
}

/** The language of this browser. */
export const LanguageSelect = () => <Select onChange={useLanguage().setLanguage} />

/** The language of the signed-in person, on every device. */
export const AccountLanguageSelect = ({ label }: Pick<SelectProps, 'label'>) => (
  <Select label={label} onChange={useLanguageOfAccount()} />
)

import { NativeSelect } from '@mantine/core'
import { useLanguageOfAccount } from '../service/account.js'
import { isLanguage, languages, type Language } from '../../texts/languages.js'
import { useSetLanguage, useTexts } from '../texts/texts.js'

type SelectProps = { readonly label?: string; readonly onChange: (language: Language) => void }

/** Each language in its own words. */
const options = languages.map((value) => ({
  value,
  label: new Intl.DisplayNames(value, { type: 'language' }).of(value) ?? value,
}))

const Select = ({ label, onChange }: SelectProps) => {
  const { locale, shell } = useTexts()
  return (
    <NativeSelect
      {...(label === undefined ? { 'aria-label': shell.interfaceLanguage, size: 'xs' } : { label })}
      data={options}
      value={locale}
      onChange={({ currentTarget: { value } }) => {
        if (isLanguage(value)) onChange(value)
      }}
      miw={100}
    />
  )
}

/** The language of this browser. */
export const LanguageSelect = () => <Select onChange={useSetLanguage()} />

/** The language of the signed-in person, on every device. */
export const AccountLanguageSelect = ({ label }: Pick<SelectProps, 'label'>) => (
  <Select label={label} onChange={useLanguageOfAccount()} />
)

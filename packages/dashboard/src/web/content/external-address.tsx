import { NativeSelect, TextInput } from '@mantine/core'
import type { JsonObject } from '@publishing-service/domain/json'
import type { StreamingHost } from '@publishing-service/domain/declare'
import { hostOf } from '../../content/item-faults.js'
import type { Faults, SpecialInputs, SpecialProps } from '../fields/item-dialog.js'
import { optionsShown, FieldInput } from '../fields/value-input.js'
import { isJsonObject, listOf } from '../../json.js'
import type { Texts } from '../../texts/languages.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'
import { mediaModel } from './media-model.js'

const { hosts, fields } = mediaModel
const kinds = fields.find(({ name }) => name === 'url_type')
const files = fields.find(({ name }) => name === 'urls')

const hostNamed = (name: unknown): StreamingHost | undefined => hosts.find((host) => host.name === name)

/** Names such as `video_host_1` say nothing to people; aliases are those of the providers. */
const providerName = (texts: Texts, { name, aliases }: StreamingHost): string =>
  wordOf(texts, aliases[0] ?? name)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The kind of the medium, with its address where media of this kind have it: one at a provider, several of files. */
const withKind = (kind: string, item: JsonObject): JsonObject => {
  const [first] = listOf(item['urls'])
  const url = item['url'] ?? (isJsonObject(first) ? (first['url'] ?? null) : null)
  if (kind === '' || hostNamed(kind) !== undefined)
    return { url_type: kind === '' ? null : kind, url, urls: null }
  const urls = item['urls'] ?? (url === null ? [] : [{ url }])
  return { url_type: kind, url: null, urls }
}

const AddressInputs = ({ item, change, faults }: SpecialProps) => {
  const texts = useTexts()
  const kind = textOf(item['url_type'])
  const url = textOf(item['url'])
  const isOfFiles = kind !== '' && hostNamed(kind) === undefined
  const options = kinds?.value.kind === 'choice' ? kinds.value.options : []
  return (
    <>
      {!isOfFiles && (
        <TextInput
          label={texts.content.address}
          description={texts.content.addressHelp({
            names: hosts.map((host) => providerName(texts, host)).join(', '),
          })}
          error={faults['url']}
          withAsterisk
          data-autofocus
          inputMode="url"
          value={url}
          onChange={({ currentTarget: { value } }) =>
            change({ url: value === '' ? null : value, url_type: hostOf(hosts, value.trim())?.name ?? null })
          }
        />
      )}
      <NativeSelect
        label={labelOf(texts, 'url_type')}
        description={url !== '' && kind === '' ? texts.content.isFile : undefined}
        error={faults['url_type']}
        withAsterisk
        data={optionsShown(
          options.map((value) => {
            const host = hostNamed(value)
            return { value, label: host === undefined ? wordOf(texts, value) : providerName(texts, host) }
          }),
          kind,
          false,
        )}
        value={kind}
        onChange={({ currentTarget: { value } }) => change(withKind(value, item))}
      />
      {isOfFiles && files !== undefined && (
        <FieldInput
          field={files}
          fault={faults[files.name]}
          value={item[files.name] ?? null}
          onChange={(urls) => change({ urls })}
        />
      )}
    </>
  )
}

/** The address of an external medium, and the provider that it shows. */
export const externalAddress: SpecialInputs = {
  names: ['url', 'url_type', 'urls'],
  Inputs: AddressInputs,
  faultsIn: (item, texts): Faults => {
    const host = hostNamed(item['url_type'])
    const url = textOf(item['url'])
    // The provider would follow from it.
    if (url === '' && textOf(item['url_type']) === '') return { url: texts.form.required }
    return host === undefined || url === '' || hostOf([host], url.trim()) !== undefined
      ? {}
      : { url: texts.content.notOfProvider({ name: providerName(texts, host) }) }
  },
}

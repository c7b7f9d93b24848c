import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import type { Field, ResourceModel, Value } from '@publishing-service/dashboard'
import { changedAfter, differingFields, type Version } from '../../history/versions.js'
import { Loaded } from '../layout/messages.js'
import { useFields } from '../resource/resource-form.js'
import { ShownValue } from '../resource/shown-value.js'
import { useInstance } from '../service/place.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { TextDifference } from './text-difference.js'

type ValuesProps = { readonly type: Value; readonly earlier: Json; readonly present: Json }

/** Two values next to each other; below each other on a narrow screen. */
const Sides = ({ type, earlier, present }: ValuesProps) => {
  const { history } = useTexts()
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {[
        { label: history.earlier, value: earlier },
        { label: history.present, value: present },
      ].map(({ label, value }) => (
        <div key={label}>
          <Text size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="div" size="sm" className="version">
            <ShownValue type={type} value={value} />
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}

/** Texts whose words are compared: not those that are written as one, such as an address. */
const hasWords = (type: Value): boolean =>
  type.kind === 'markup' || (type.kind === 'text' && type.format === undefined)

const textIn = (value: Json): string => (typeof value === 'string' ? value : '')

const Difference = (values: ValuesProps) => {
  const { type, earlier, present } = values
  const sides = <Sides {...values} />
  return hasWords(type) ? (
    <TextDifference
      earlier={textIn(earlier)}
      present={textIn(present)}
      isMarkup={type.kind === 'markup'}
      otherwise={sides}
    />
  ) : (
    sides
  )
}

type DifferencesProps = {
  readonly fields: readonly Field[]
  readonly earlier: JsonObject
  readonly present: JsonObject
  /** What later versions changed and cannot be compared here. */
  readonly parts: readonly string[]
}

const Differences = ({ fields, earlier, present, parts }: DifferencesProps) => {
  const texts = useTexts()
  const differing = differingFields(fields, earlier, present)
  return (
    <Stack gap="sm">
      {differing.map(({ name, value: type }) => (
        <div key={name}>
          <Text component="h4" size="sm" fw={600}>
            {labelOf(texts, name)}
          </Text>
          <Difference type={type} earlier={earlier[name] ?? null} present={present[name] ?? null} />
        </div>
      ))}
      {parts.length > 0 && (
        <Text size="sm">
          {texts.history.parts} {parts.map((name) => labelOf(texts, name)).join(', ')}
        </Text>
      )}
      {differing.length === 0 && parts.length === 0 && <Text size="sm">{texts.history.same}</Text>}
    </Stack>
  )
}

export type ComparedObject = {
  readonly resource: ResourceModel
  readonly uuid: string
  /** The object as it is. */
  readonly present: JsonObject
}

type ComparisonProps = ComparedObject & {
  readonly versions: readonly Version[]
  readonly number: number
  readonly onRestore: (earlier: JsonObject) => void
}

/** What differs between a version and the object as it is, attribute by attribute. */
export const Comparison = ({ resource, uuid, present, versions, number, onRestore }: ComparisonProps) => {
  const { history } = useTexts()
  const { api, iid } = useInstance()
  const { collection, segments, variant, parts } = resource
  const fields = useFields(resource.fields, variant, present)
  const query = useQuery({
    queryKey: [iid, collection, uuid, 'versions', number],
    queryFn: () => api.read(`${segments}/${uuid}/versions/${number}`),
  })
  return (
    <Loaded query={query}>
      {({ value: earlier }) => (
        <Stack>
          <Differences
            fields={fields}
            earlier={earlier}
            present={present}
            parts={changedAfter(parts, versions, number)}
          />
          <Group>
            <Button variant="default" onClick={() => onRestore(earlier)}>
              {history.restore}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  )
}

import { Accordion, Grid, Group, Stack, Text } from '@mantine/core'
import { useRef, type ReactNode } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Field, ResourceModel } from '@publishing-service/dashboard'
import { FieldInput } from '../fields/value-input.js'
import { DateTime } from '../layout/date-time.js'
import { PeriodText } from '../publication/publication-status.js'
import { PublicationLink, PublicationPanel } from '../publication/publication-panel.js'
import { isAtLeast, useInstance, useSettings } from '../service/place.js'
import type { Draft } from '../service/use-draft.js'
import { labelOf, useTexts } from '../texts/texts.js'

type FormProps = {
  readonly fields: readonly Field[]
  /** The field whose value decides which fields there are. */
  readonly variant?: string | undefined
  readonly draft: Draft
  readonly faults: Readonly<Record<string, string>>
  readonly isNew: boolean
  readonly disabled?: boolean
}

/** The fields that an object has on this instance, for this role. */
export const useFields = (
  fields: readonly Field[],
  variant: string | undefined,
  value: Readonly<Record<string, unknown>>,
): readonly Field[] => {
  const { role } = useInstance()
  const settings = useSettings()
  const own = variant === undefined ? undefined : value[variant]
  return fields.filter(
    ({ only, needsAddon, visibleTo }) =>
      (only === undefined || typeof own !== 'string' || only.includes(own)) &&
      (!needsAddon || settings?.directory_addon === true) &&
      (visibleTo === undefined || isAtLeast(role, visibleTo)),
  )
}

/** The ends of the names of attributes that are the sides of a period. */
const startOfPeriod = '_start'
const endOfPeriod = '_expires'

/** Inputs one below the other. */
export const FieldInputs = ({ fields, draft, faults, isNew, disabled = false }: FormProps) => (
  <Stack gap="md">
    {fields.map((field) => {
      const { name, isFixed, sentWith } = field
      return (
        <div key={name} data-faulty={faults[name] === undefined ? undefined : true}>
          <FieldInput
            field={field}
            disabled={disabled || (isFixed && !isNew)}
            value={draft.value[name] ?? null}
            onChange={(next) => draft.set(name, next)}
            fault={faults[name]}
          />
          {name.endsWith(endOfPeriod) && (sentWith === undefined || draft.value[sentWith] === true) && (
            <PeriodText
              start={draft.value[name.replace(endOfPeriod, startOfPeriod)] ?? null}
              end={draft.value[name] ?? null}
            />
          )}
        </div>
      )
    })}
  </Stack>
)

/** When an object was created and last changed. */
const Stamps = ({ value }: { readonly value: JsonObject }) => {
  const texts = useTexts()
  const shown = ['created', 'modified'].filter((name) => typeof value[name] === 'string')
  return (
    <Group gap="md">
      {shown.map((name) => (
        <Text key={name} size="sm" c="dimmed">
          {labelOf(texts, name)}: <DateTime value={value[name] ?? null} />
        </Text>
      ))}
    </Group>
  )
}

/** Fields that are long or wide; the others fit next to them. */
const isWide = ({ value: { kind }, isRequired, only }: Field): boolean =>
  isRequired ||
  only !== undefined ||
  ['text', 'markup', 'list', 'object', 'coordinates', 'recurrence'].includes(kind)

/** A form with fewer fields has one column. */
const minFieldsOfColumns = 10

type ResourceFormProps = FormProps & {
  readonly publication?: ResourceModel['publication']
  /** What is edited next to the fields. */
  readonly aside?: ReactNode
}

/**
 * The inputs of an object: what is long in the wide column, the rest in the narrow one. Fields of a group are below, and
 * can be folded.
 */
export const ResourceForm = ({ publication = 'none', aside, ...props }: ResourceFormProps) => {
  const texts = useTexts()
  const { draft, faults, disabled = false } = props
  const panel = useRef<HTMLFieldSetElement>(null)
  const fields = useFields(props.fields, props.variant, draft.value)
  const names = [...new Set(fields.flatMap(({ group }) => group ?? []))]
  const groups = names.map((name) => ({ name, members: fields.filter(({ group }) => group === name) }))
  const faulty = groups
    .filter(({ members }) => members.some((field) => faults[field.name] !== undefined))
    .map(({ name }) => name)
  const single = fields.filter(
    ({ group, name }) =>
      group === undefined && !(publication !== 'none' && (name === 'state' || name === 'issued')),
  )
  const hasColumns = fields.length >= minFieldsOfColumns
  const narrow = hasColumns ? single.filter((field) => !isWide(field)) : []
  const below = (
    <>
      {aside}
      {groups.length > 0 && (
        // The groups are opened in which a value was not accepted.
        <Accordion multiple variant="separated" key={faulty.join(' ')} defaultValue={faulty}>
          {groups.map(({ name, members }) => (
            <Accordion.Item key={name} value={name}>
              <Accordion.Control>{labelOf(texts, name)}</Accordion.Control>
              <Accordion.Panel>
                <FieldInputs {...props} fields={members} />
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
      <Stamps value={draft.stored} />
    </>
  )
  const status = { draft, publication, isNew: props.isNew, panel }
  const panelOfPublication = publication !== 'none' && (
    <PublicationPanel {...status} faults={faults} disabled={disabled} />
  )
  return (
    <Grid gap="xl">
      <Grid.Col span={hasColumns ? { base: 12, lg: 8 } : 12}>
        <Stack>
          {hasColumns && publication !== 'none' && <PublicationLink {...status} />}
          {!hasColumns && panelOfPublication}
          <FieldInputs {...props} fields={single.filter((field) => !narrow.includes(field))} />
          {!hasColumns && below}
        </Stack>
      </Grid.Col>
      {hasColumns && (
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack>
            {panelOfPublication}
            <FieldInputs {...props} fields={narrow} />
            {below}
          </Stack>
        </Grid.Col>
      )}
    </Grid>
  )
}

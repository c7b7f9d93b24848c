import { Accordion, Stack } from '@mantine/core'
import type { Field } from '@publishing-service/dashboard'
import { ValueInput } from '../fields/value-input.js'
import { useInstance, useSettings } from '../service/instance-context.js'
import { model } from 'virtual:model'
import type { Draft } from '../service/use-draft.js'
import { helpOf, labelOf, useTexts } from '../texts/texts.js'

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
      (visibleTo === undefined || model.roles.indexOf(role) >= model.roles.indexOf(visibleTo)),
  )
}

/** Inputs one below the other. */
export const FieldInputs = ({ fields, draft, faults, isNew, disabled = false }: FormProps) => {
  const texts = useTexts()
  return (
    <Stack gap="md">
      {fields.map((field) => {
        const { name, value, isRequired, isFixed, isReadOnly } = field
        const fault = faults[name]
        return (
          <ValueInput
            key={name}
            type={value}
            label={labelOf(texts, name)}
            help={helpOf(texts, field)}
            required={isRequired}
            disabled={disabled || isReadOnly || (isFixed && !isNew)}
            value={draft.value[name] ?? null}
            onChange={(next) => draft.set(name, next)}
            {...(fault === undefined ? {} : { fault })}
          />
        )
      })}
    </Stack>
  )
}

/** The inputs of an object. Fields of a group are below the others, and can be folded. */
export const ResourceForm = (props: FormProps) => {
  const texts = useTexts()
  const fields = useFields(props.fields, props.variant, props.draft.value)
  const names = [...new Set(fields.flatMap(({ group }) => group ?? []))]
  const groups = names.map((name) => ({ name, members: fields.filter(({ group }) => group === name) }))
  const faulty = groups
    .filter(({ members }) => members.some((field) => props.faults[field.name] !== undefined))
    .map(({ name }) => name)
  return (
    <Stack>
      <FieldInputs {...props} fields={fields.filter(({ group }) => group === undefined)} />
      {groups.length > 0 && (
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
    </Stack>
  )
}

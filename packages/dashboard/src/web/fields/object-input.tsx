import { Fieldset, Stack } from '@mantine/core'
import { isJsonObject } from '../service/json.js'
import { helpOf, labelOf, useTexts } from '../texts/texts.js'
import type { InputProps } from './input-props.js'
import { ValueInput } from './value-input.js'

const isEmpty = (value: unknown): boolean => value === null || value === undefined

/** An object without values is null. */
export const ObjectInput = ({
  type,
  label,
  help,
  fault,
  value,
  onChange,
  disabled = false,
}: InputProps<'object'>) => {
  const texts = useTexts()
  const current = isJsonObject(value) ? value : {}
  return (
    <Fieldset legend={label} disabled={disabled}>
      <Stack gap="xs">
        {help !== undefined && <small>{help}</small>}
        {fault !== undefined && <small role="alert">{fault}</small>}
        {type.fields.map((field) => (
          <ValueInput
            key={field.name}
            type={field.value}
            label={labelOf(texts, field.name)}
            help={helpOf(texts, field)}
            required={field.isRequired}
            disabled={disabled}
            value={current[field.name] ?? null}
            onChange={(next) => {
              const changed = { ...current, [field.name]: next }
              onChange(Object.values(changed).every(isEmpty) ? null : changed)
            }}
          />
        ))}
      </Stack>
    </Fieldset>
  )
}

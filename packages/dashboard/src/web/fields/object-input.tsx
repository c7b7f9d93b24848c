import { Fieldset, Stack } from '@mantine/core'
import type { JsonObject } from '@publishing-service/domain'
import type { Field } from '@publishing-service/dashboard'
import { isJsonObject } from '../service/json.js'
import { helpOf, labelOf, useTexts } from '../texts/texts.js'
import type { InputProps } from './input-props.js'
import { ValueInput } from './value-input.js'

const isEmpty = (value: unknown): boolean => value === null || value === undefined

type PartsProps = {
  readonly fields: readonly Field[]
  readonly value: JsonObject
  readonly onChange: (value: JsonObject) => void
  readonly disabled: boolean
}

/** Inputs for parts of an object. */
export const PartInputs = ({ fields, value, onChange, disabled }: PartsProps) => {
  const texts = useTexts()
  return fields.map((field) => (
    <ValueInput
      key={field.name}
      type={field.value}
      label={labelOf(texts, field.name)}
      help={helpOf(texts, field)}
      required={field.isRequired}
      disabled={disabled}
      value={value[field.name] ?? null}
      onChange={(next) => onChange({ ...value, [field.name]: next })}
    />
  ))
}

/** An object without values is null. */
export const ObjectInput = ({
  type,
  label,
  help,
  fault,
  value,
  onChange,
  disabled = false,
}: InputProps<'object'>) => (
  <Fieldset legend={label} disabled={disabled}>
    <Stack gap="xs">
      {help !== undefined && <small>{help}</small>}
      {fault !== undefined && <small role="alert">{fault}</small>}
      <PartInputs
        fields={type.fields}
        value={isJsonObject(value) ? value : {}}
        onChange={(next) => onChange(Object.values(next).every(isEmpty) ? null : next)}
        disabled={disabled}
      />
    </Stack>
  </Fieldset>
)

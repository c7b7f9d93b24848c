import { Fieldset, Stack, Text } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Field } from '@publishing-service/dashboard'
import { isJsonObject } from '../../json.js'
import type { FieldProps, InputProps } from './input-props.js'

const isEmpty = (value: unknown): boolean => value === null || value === undefined

/** The input of a part, which may be an object itself. */
export type WithPart = { readonly Part: ComponentType<FieldProps> }

type PartsProps = WithPart & {
  readonly fields: readonly Field[]
  readonly value: JsonObject
  readonly onChange: (value: JsonObject) => void
  readonly disabled: boolean
}

/** Inputs for parts of an object. */
export const PartInputs = ({ Part, fields, value, onChange, disabled }: PartsProps) =>
  fields.map((field) => (
    <Part
      key={field.name}
      field={field}
      disabled={disabled}
      value={value[field.name] ?? null}
      onChange={(next) => onChange({ ...value, [field.name]: next })}
    />
  ))

/** Inputs that belong together, with their help and what was not accepted. */
export const PartsFieldset = ({
  label,
  help,
  fault,
  disabled,
  children,
}: Pick<InputProps, 'label' | 'help' | 'fault' | 'disabled'> & { readonly children: ReactNode }) => (
  <Fieldset legend={label} disabled={disabled === true}>
    <Stack gap="sm">
      {help !== undefined && (
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      )}
      {fault !== undefined && (
        <Text size="sm" c="red" role="alert" className="fault">
          {fault}
        </Text>
      )}
      {children}
    </Stack>
  </Fieldset>
)

/** An object without values is null. */
export const ObjectInput = ({ Part, type, value, onChange, ...props }: InputProps<'object'> & WithPart) => (
  <PartsFieldset {...props}>
    <PartInputs
      Part={Part}
      fields={type.fields}
      value={isJsonObject(value) ? value : {}}
      onChange={(next) => onChange(Object.values(next).every(isEmpty) ? null : next)}
      disabled={props.disabled === true}
    />
  </PartsFieldset>
)

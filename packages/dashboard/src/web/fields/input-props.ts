import type { Json } from '@publishing-service/domain/json'
import type { Field, Value } from '@publishing-service/dashboard'

/** What every input has. `V` is the kind of its value. */
export type InputProps<V extends Value['kind'] = Value['kind']> = {
  readonly type: Extract<Value, { readonly kind: V }>
  readonly label: string
  readonly help?: string
  /** Why the service did not accept the value. */
  readonly fault?: string
  readonly value: Json
  readonly onChange: (value: Json) => void
  readonly required?: boolean
  readonly disabled?: boolean
  /** The objects that are chosen already, for a reference that is added to them. */
  readonly taken?: readonly string[]
  /** False for a choice that always has a value. */
  readonly canBeEmpty?: boolean
}

/** What the input of a field has. */
export type FieldProps = Omit<InputProps, 'type' | 'label' | 'help' | 'required'> & {
  readonly field: Field
  /** If it is another than that of the attribute. */
  readonly label?: string
  /** If it is another than that of the attribute. */
  readonly help?: string
}

/** The properties of the element around the input. */
export const wrapperOf = ({
  label,
  help,
  fault,
  required,
}: Pick<InputProps, 'label' | 'help' | 'fault' | 'required'>) => ({
  label,
  description: help,
  error: fault,
  withAsterisk: required,
})

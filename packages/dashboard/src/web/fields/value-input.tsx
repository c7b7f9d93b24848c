import { lazy, Suspense } from 'react'
import { Loading } from '../layout/messages.js'
import type { Field } from '@publishing-service/dashboard'
import { NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { FileInput } from '../library/file-input.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'
import { CoordinatesInput } from './coordinates-input.js'
import { wrapperOf, type InputProps } from './input-props.js'
import { ListInput } from './list-input.js'
import { ObjectInput } from './object-input.js'
import { RecurrenceInput } from './recurrence-input.js'
import { ReferenceInput } from './reference-input.js'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Loaded when it is first needed, because it is large. */
const MarkupEditor = lazy(async () => ({
  default: (await import('../markup/markup-editor.js')).MarkupEditor,
}))

/** An empty text is no value. */
const valueFrom = (text: string): string | null => (text === '' ? null : text)

const common = (props: InputProps) => ({ ...wrapperOf(props), disabled: props.disabled })

const SingleLine = ({ type, ...props }: InputProps<'text'>) => (
  <TextInput
    {...common({ type, ...props })}
    value={textOf(props.value)}
    onChange={(event) => props.onChange(valueFrom(event.currentTarget.value))}
    maxLength={type.maxLength}
    inputMode={type.format?.startsWith('web-address') ? 'url' : undefined}
  />
)

const SeveralLines = ({ value, onChange, ...props }: InputProps<'text'>) => (
  <Textarea
    {...common({ value, onChange, ...props })}
    value={textOf(value)}
    onChange={(event) => onChange(valueFrom(event.currentTarget.value))}
    maxLength={props.type.maxLength}
    autosize
    minRows={2}
    maxRows={16}
  />
)

type Option = { readonly value: string; readonly label: string }

/** With the value that is set, or none, so that no other seems to be chosen. */
export const optionsShown = (
  options: readonly Option[],
  value: string,
  canBeEmpty: boolean,
): readonly Option[] => [
  ...(canBeEmpty || value === '' ? [{ value: '', label: '–' }] : []),
  ...options,
  ...(value === '' || options.some((each) => each.value === value) ? [] : [{ value, label: value }]),
]

const ChoiceInput = ({ type, value, onChange, canBeEmpty = true, ...props }: InputProps<'choice'>) => {
  const texts = useTexts()
  const options = type.options.map((option) => ({ value: option, label: wordOf(texts, option) }))
  return (
    <NativeSelect
      {...common({ type, value, onChange, ...props })}
      data={optionsShown(options, textOf(value), props.required !== true && canBeEmpty)}
      value={textOf(value)}
      onChange={(event) => onChange(valueFrom(event.currentTarget.value))}
    />
  )
}

/** In the time zone of the instance, whatever the zone of the browser. */
const DateTimeInput = ({ value, onChange, ...props }: InputProps<'date-time'>) => (
  <TextInput
    {...common({ value, onChange, ...props })}
    type="datetime-local"
    step={1}
    value={textOf(value).slice(0, 19)}
    onChange={(event) => onChange(valueFrom(event.currentTarget.value))}
  />
)

const DateInput = ({ value, onChange, ...props }: InputProps<'date'>) => (
  <TextInput
    {...common({ value, onChange, ...props })}
    type="date"
    value={textOf(value)}
    onChange={(event) => onChange(valueFrom(event.currentTarget.value))}
  />
)

const NumericInput = ({ type, value, onChange, ...props }: InputProps<'number'>) => (
  <NumberInput
    {...common({ type, value, onChange, ...props })}
    value={typeof value === 'number' ? value : ''}
    onChange={(next) => onChange(typeof next === 'number' ? next : valueFrom(next))}
    allowDecimal={!type.isInteger}
    min={type.minimum}
    max={type.maximum}
    clampBehavior="none"
  />
)

const BooleanInput = ({ value, onChange, label, help, fault, disabled }: InputProps<'boolean'>) => (
  <Switch
    label={label}
    description={help}
    error={fault}
    disabled={disabled}
    checked={value === true}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
)

/** The input for a value of any kind. */
export const ValueInput = ({ type, ...props }: InputProps) => {
  switch (type.kind) {
    case 'text':
      return type.isLong ? <SeveralLines type={type} {...props} /> : <SingleLine type={type} {...props} />
    case 'markup':
      return (
        <Suspense fallback={<Loading />}>
          <MarkupEditor type={type} {...props} />
        </Suspense>
      )
    case 'choice':
      return <ChoiceInput type={type} {...props} />
    case 'date-time':
      return <DateTimeInput type={type} {...props} />
    case 'date':
      return <DateInput type={type} {...props} />
    case 'number':
      return <NumericInput type={type} {...props} />
    case 'boolean':
      return <BooleanInput type={type} {...props} />
    case 'reference':
      return type.collection === 'files' ? (
        <FileInput type={type} {...props} />
      ) : (
        <ReferenceInput type={type} {...props} />
      )
    case 'list':
      return <ListInput type={type} {...props} />
    case 'coordinates':
      return <CoordinatesInput type={type} {...props} />
    case 'object':
      return <ObjectInput type={type} {...props} />
    case 'recurrence':
      return <RecurrenceInput type={type} {...props} />
  }
}

type FieldProps = Omit<InputProps, 'type' | 'label' | 'help' | 'required'> & {
  readonly field: Field
  /** If it is another than that of the attribute. */
  readonly label?: string
}

/** The input of a field, with its label and help. */
export const FieldInput = ({ field: { name, value: type, isRequired, initial }, ...props }: FieldProps) => {
  const texts = useTexts()
  return (
    <ValueInput
      type={type}
      label={labelOf(texts, name)}
      help={texts.help[name]}
      required={isRequired}
      canBeEmpty={initial === null}
      {...props}
    />
  )
}

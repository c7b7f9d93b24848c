import { lazy, Suspense, type ChangeEvent } from 'react'
import { NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { Loading } from '../layout/messages.js'
import { labelOf, textNamed, useTexts, wordOf } from '../texts/texts.js'
import { CoordinatesInput } from './coordinates-input.js'
import { wrapperOf, type FieldProps, type InputProps } from './input-props.js'
import { ListInput } from './list-input.js'
import { ObjectInput } from './object-input.js'
import { PairsInput } from './pairs-input.js'
import { RecurrenceInput } from './recurrence-input.js'
import { ReferenceInput } from './reference-input.js'

/** Loaded when it is first needed, because it is large. */
const MarkupEditor = lazy(async () => ({
  default: (await import('../markup/markup-editor.js')).MarkupEditor,
}))

/** An empty text is no value. */
const valueFrom = (text: string): string | null => (text === '' ? null : text)

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

/** The input for a value of any kind. */
export const ValueInput = (props: InputProps) => {
  const texts = useTexts()
  const { type, value, onChange, disabled, required = false, canBeEmpty = true } = props
  const common = { ...wrapperOf(props), disabled }
  const text = typeof value === 'string' ? value : ''
  const line = {
    ...common,
    value: text,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      onChange(valueFrom(currentTarget.value)),
  }
  switch (type.kind) {
    case 'text':
      return type.isLong ? (
        <Textarea {...line} maxLength={type.maxLength} autosize minRows={2} maxRows={16} />
      ) : (
        <TextInput
          {...line}
          maxLength={type.maxLength}
          inputMode={/^web(?:site)?-address/.test(type.format ?? '') ? 'url' : undefined}
        />
      )
    case 'markup':
      return (
        <Suspense fallback={<Loading />}>
          <MarkupEditor {...props} type={type} />
        </Suspense>
      )
    case 'choice': {
      const options = type.options.map((option) => ({ value: option, label: wordOf(texts, option) }))
      return <NativeSelect {...line} data={optionsShown(options, text, !required && canBeEmpty)} />
    }
    case 'date-time':
      // In the time zone of the instance, whatever the zone of the browser.
      return <TextInput {...line} type="datetime-local" step={1} value={text.slice(0, 19)} />
    case 'date':
      return <TextInput {...line} type="date" />
    case 'number':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : valueFrom(next))}
          allowDecimal={!type.isInteger}
          min={type.minimum}
          max={type.maximum}
          clampBehavior="none"
        />
      )
    case 'boolean': {
      const { withAsterisk: _required, ...named } = common
      return (
        <Switch
          {...named}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    }
    case 'reference':
      return <ReferenceInput {...props} type={type} />
    case 'list':
      return <ListInput {...props} type={type} Item={ValueInput} />
    case 'coordinates':
      return <CoordinatesInput {...props} type={type} />
    case 'object':
      return <ObjectInput {...props} type={type} Part={FieldInput} />
    case 'pairs':
      return <PairsInput {...props} type={type} />
    case 'recurrence':
      return <RecurrenceInput {...props} type={type} Part={FieldInput} />
  }
}

/** The input of a field, with its label and help. */
export const FieldInput = ({ field: { name, value: type, isRequired, initial }, ...props }: FieldProps) => {
  const texts = useTexts()
  return (
    <ValueInput
      type={type}
      label={labelOf(texts, name)}
      help={textNamed(texts.help, name)}
      required={isRequired}
      canBeEmpty={initial === null}
      {...props}
    />
  )
}

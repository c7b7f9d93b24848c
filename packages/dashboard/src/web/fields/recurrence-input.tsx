import { Accordion, Checkbox, Group, NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import {
  monthlyDay,
  monthlyNumbers,
  plainWeekdays,
  recurrenceEnd,
  weekdays,
  withEnd,
  withFrequency,
  withMonthlyDay,
  withPart,
  withPlainWeekdays,
  type RecurrenceEnd,
} from '../../publication/recurrence.js'
import { isJsonObject } from '../../json.js'
import { labelOf, textNamed, useTexts, wordOf } from '../texts/texts.js'
import type { InputProps } from './input-props.js'
import { PartInputs, PartsFieldset, type WithPart } from './object-input.js'

type RuleProps = {
  readonly rule: JsonObject
  readonly onChange: (rule: JsonObject) => void
  readonly disabled: boolean
}

const Weekdays = ({ rule, onChange, disabled }: RuleProps) => {
  const texts = useTexts()
  return (
    <Checkbox.Group
      label={texts.recurrence.on}
      value={[...plainWeekdays(rule)]}
      onChange={(days) => onChange(withPlainWeekdays(rule, days))}
    >
      <Group gap="sm" mt={4}>
        {weekdays.map((day) => (
          <Checkbox key={day} value={day} label={wordOf(texts, day)} disabled={disabled} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

const DayOfMonth = ({ rule, onChange, disabled }: RuleProps) => {
  const texts = useTexts()
  const { monthly, sameDay, numbers, weekday } = texts.recurrence
  const chosen = monthlyDay(rule)
  return (
    <Group align="flex-end">
      <NativeSelect
        label={monthly}
        data={[
          { value: '', label: sameDay },
          ...monthlyNumbers.map((number) => ({ value: number, label: numbers[number] })),
        ]}
        value={chosen?.number ?? ''}
        onChange={({ currentTarget: { value: number } }) =>
          onChange(withMonthlyDay(rule, number === '' ? null : { day: weekdays[0], ...chosen, number }))
        }
        disabled={disabled}
      />
      {chosen !== null && (
        <NativeSelect
          aria-label={weekday}
          data={weekdays.map((day) => ({ value: day, label: wordOf(texts, day) }))}
          value={chosen.day}
          onChange={({ currentTarget: { value: day } }) => onChange(withMonthlyDay(rule, { ...chosen, day }))}
          disabled={disabled}
        />
      )}
    </Group>
  )
}

const ends: readonly RecurrenceEnd[] = ['never', 'count', 'until']

const End = ({
  Part,
  type,
  rule,
  onChange,
  disabled,
}: RuleProps & WithPart & Pick<InputProps<'recurrence'>, 'type'>) => {
  const texts = useTexts()
  const stored = recurrenceEnd(rule)
  /** The end whose value is not typed yet. */
  const [chosen, setChosen] = useState<RecurrenceEnd>('never')
  const end = stored === 'never' ? chosen : stored
  const part = type.fields.find(({ name }) => name === end)
  return (
    <Group align="flex-end">
      <NativeSelect
        label={texts.recurrence.ends}
        data={ends.map((value) => ({ value, label: texts.recurrence.ending[value] }))}
        value={end}
        onChange={({ currentTarget: { value } }) => {
          const next = ends.find((each) => each === value) ?? 'never'
          setChosen(next)
          onChange(withEnd(rule, next))
        }}
        disabled={disabled}
      />
      {part !== undefined && (
        <Part
          field={part}
          value={rule[part.name] ?? null}
          onChange={(next) => onChange(withEnd(rule, end, next))}
          disabled={disabled}
        />
      )}
    </Group>
  )
}

/** The parts with an input of this component; the others are folded. */
const isMain = (name: string, freq: string): boolean =>
  ['freq', 'interval', 'count', 'until'].includes(name) || (name === 'byday' && freq === 'WEEKLY')

/** How an event recurs: how often, on which days, and until when. Other parts of the rule are folded below. */
export const RecurrenceInput = ({
  Part,
  type,
  value,
  onChange,
  ...props
}: InputProps<'recurrence'> & WithPart) => {
  const { disabled = false } = props
  const texts = useTexts()
  const { repeats, never, every, further } = texts.recurrence
  const rule = isJsonObject(value) ? value : {}
  const { freq } = rule
  const frequencies = type.fields.flatMap((field) =>
    field.name === 'freq' && field.value.kind === 'choice' ? field.value.options : [],
  )
  const interval = type.fields.find(({ name }) => name === 'interval')
  const shared = { rule, onChange, disabled }
  return (
    <PartsFieldset {...props}>
      <Group align="flex-end">
        <NativeSelect
          label={repeats}
          data={[
            { value: '', label: never },
            ...frequencies.toReversed().map((each) => ({ value: each, label: wordOf(texts, each) })),
          ]}
          value={typeof freq === 'string' ? freq : ''}
          onChange={({ currentTarget: { value: next } }) =>
            onChange(next === '' ? null : withFrequency(rule, next))
          }
        />
        {typeof freq === 'string' && interval !== undefined && (
          <Part
            field={interval}
            label={textNamed(every, freq) ?? labelOf(texts, interval.name)}
            value={rule[interval.name] ?? 1}
            onChange={(next) => onChange(withPart(rule, interval.name, next))}
            disabled={disabled}
          />
        )}
      </Group>
      {freq === 'WEEKLY' && <Weekdays {...shared} />}
      {freq === 'MONTHLY' && <DayOfMonth {...shared} />}
      {typeof freq === 'string' && (
        <>
          <End {...shared} type={type} Part={Part} />
          <Accordion variant="separated">
            <Accordion.Item value="further">
              <Accordion.Control>{further}</Accordion.Control>
              <Accordion.Panel>
                <Stack gap="xs">
                  <PartInputs
                    Part={Part}
                    fields={type.fields.filter(({ name }) => !isMain(name, freq))}
                    value={rule}
                    onChange={onChange}
                    disabled={disabled}
                  />
                </Stack>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        </>
      )}
    </PartsFieldset>
  )
}

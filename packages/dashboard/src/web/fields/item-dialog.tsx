import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain'
import type { Field } from '@publishing-service/dashboard'
import { helpOf, labelOf, useTexts } from '../texts/texts.js'
import { ValueInput } from './value-input.js'

type DialogProps = {
  readonly title: string
  readonly fields: readonly Field[]
  readonly item: JsonObject
  readonly onClose: () => void
  readonly onApply: (item: JsonObject) => void
}

/** The form of one item of a list, such as a medium: the fields of its `type`. It is stored with its list. */
export const ItemDialog = ({ title, fields, item, onClose, onApply }: DialogProps) => {
  const texts = useTexts()
  const [value, setValue] = useState(item)
  const shown = fields.filter(
    ({ name, only }) =>
      name !== 'type' && (only === undefined || only.some((type) => type === value['type'])),
  )
  return (
    <Modal opened onClose={onClose} size="lg" title={title}>
      <Stack>
        {shown.map((field) => (
          <ValueInput
            key={field.name}
            type={field.value}
            label={labelOf(texts, field.name)}
            help={helpOf(texts, field)}
            required={field.isRequired}
            value={value[field.name] ?? null}
            onChange={(next) => setValue((current) => ({ ...current, [field.name]: next }))}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.form.cancel}
          </Button>
          <Button onClick={() => onApply(value)}>{texts.form.apply}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

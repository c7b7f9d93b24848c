import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { ValueInput } from '../fields/value-input.js'
import { helpOf, labelOf, useTexts } from '../texts/texts.js'

type DialogProps = {
  readonly medium: JsonObject
  readonly onClose: () => void
  readonly onApply: (medium: JsonObject) => void
}

/** The form of one medium: the fields of its type. It is stored with its slot. */
export const MediumDialog = ({ medium, onClose, onApply }: DialogProps) => {
  const texts = useTexts()
  const [value, setValue] = useState(medium)
  const fields = model.media.filter(
    ({ name, only }) =>
      name !== 'type' && (only === undefined || only.some((type) => type === value['type'])),
  )
  return (
    <Modal opened onClose={onClose} size="lg" title={texts.content.editMedium}>
      <Stack>
        {fields.map((field) => (
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
          <Button onClick={() => onApply(value)}>{texts.content.apply}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

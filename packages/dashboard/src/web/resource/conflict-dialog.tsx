import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain'
import type { Field } from '@publishing-service/dashboard'
import type { Versioned } from '../service/api.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { ShownValue } from './shown-value.js'

type ConflictProps = {
  readonly fields: readonly Field[]
  /** What the user changed. */
  readonly changes: JsonObject
  readonly saved: Versioned
  readonly onCancel: () => void
  /** Keeps only these changes, and saves them over the saved version. */
  readonly onApply: (changes: JsonObject) => void
  readonly onReload: () => void
}

/** Two versions of one object, attribute by attribute. */
export const ConflictDialog = ({ fields, changes, saved, onCancel, onApply, onReload }: ConflictProps) => {
  const texts = useTexts()
  const { conflict, form } = texts
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.value
  const choose = (name: string, isTheirs: boolean) =>
    setTheirs((current) => {
      const next = new Set(current)
      if (isTheirs) next.add(name)
      else next.delete(name)
      return next
    })
  return (
    <Modal opened onClose={onCancel} title={conflict.title} size="xl">
      <Stack>
        <Text size="sm">{conflict.intro}</Text>
        {Object.entries(changes).map(([name, value]) => (
          <Radio.Group
            key={name}
            label={labelOf(texts, name)}
            value={theirs.has(name) ? 'theirs' : 'yours'}
            onChange={(choice) => choose(name, choice === 'theirs')}
          >
            <Group grow align="flex-start" mt={4}>
              <Radio.Card value="yours" p="sm" className="choice">
                <Text size="xs" c="dimmed">
                  {conflict.yours}
                </Text>
                <Text component="div" size="sm" className="version">
                  <ShownValue type={typeOf(name)} value={value} />
                </Text>
              </Radio.Card>
              <Radio.Card value="theirs" p="sm" className="choice">
                <Text size="xs" c="dimmed">
                  {conflict.theirs}
                </Text>
                <Text component="div" size="sm" className="version">
                  <ShownValue type={typeOf(name)} value={saved.value[name]} />
                </Text>
              </Radio.Card>
            </Group>
          </Radio.Group>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {form.cancel}
          </Button>
          <Button variant="default" onClick={onReload}>
            {conflict.reload}
          </Button>
          <Button
            onClick={() =>
              onApply(Object.fromEntries(Object.entries(changes).filter(([name]) => !theirs.has(name))))
            }
          >
            {conflict.apply}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

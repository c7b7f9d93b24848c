import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Json, JsonObject } from '@publishing-service/domain'
import type { Versioned } from '../service/api.js'
import { labelOf, useTexts } from '../texts/texts.js'

type ConflictProps = {
  /** What the user changed. */
  readonly changes: JsonObject
  readonly saved: Versioned
  readonly onCancel: () => void
  /** Keeps only these changes, and saves them over the saved version. */
  readonly onApply: (changes: JsonObject) => void
  readonly onReload: () => void
}

const shown = (value: Json | undefined): string =>
  value === null || value === undefined
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2)

/** Two versions of one object, attribute by attribute. */
export const ConflictDialog = ({ changes, saved, onCancel, onApply, onReload }: ConflictProps) => {
  const texts = useTexts()
  const { conflict, form } = texts
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
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
                <Text size="sm" className="version">
                  {shown(value)}
                </Text>
              </Radio.Card>
              <Radio.Card value="theirs" p="sm" className="choice">
                <Text size="xs" c="dimmed">
                  {conflict.theirs}
                </Text>
                <Text size="sm" className="version">
                  {shown(saved.value[name])}
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

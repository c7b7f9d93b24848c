import { Button, Group, Radio, Text } from '@mantine/core'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Field } from '@publishing-service/dashboard'
import { Dialog } from '../layout/dialog.js'
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
  const { conflict } = texts
  const [sides, setSides] = useState<Readonly<Record<string, string>>>({})
  const typeOf = (name: string) => fields.find((field) => field.name === name)?.value
  return (
    <Dialog
      title={conflict.title}
      size="xl"
      centered={false}
      onClose={onCancel}
      buttons={
        <>
          <Button variant="default" onClick={onReload}>
            {conflict.reload}
          </Button>
          <Button
            onClick={() =>
              onApply(
                Object.fromEntries(Object.entries(changes).filter(([name]) => sides[name] !== 'theirs')),
              )
            }
          >
            {conflict.apply}
          </Button>
        </>
      }
    >
      <Text size="sm">{conflict.intro}</Text>
      {Object.entries(changes).map(([name, value]) => (
        <Radio.Group
          key={name}
          label={labelOf(texts, name)}
          value={sides[name] ?? 'yours'}
          onChange={(side) => setSides((current) => ({ ...current, [name]: side }))}
        >
          <Group grow align="flex-start" mt={4}>
            {(['yours', 'theirs'] as const).map((side) => (
              <Radio.Card key={side} value={side} p="sm" className="choice">
                <Text size="xs" c="dimmed">
                  {conflict[side]}
                </Text>
                <Text component="div" size="sm" className="version">
                  <ShownValue type={typeOf(name)} value={side === 'yours' ? value : saved.value[name]} />
                </Text>
              </Radio.Card>
            ))}
          </Group>
        </Radio.Group>
      ))}
    </Dialog>
  )
}

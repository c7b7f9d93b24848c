import { Button, Fieldset, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import { textOf } from '../../json.js'
import { DateTime } from '../layout/date-time.js'
import { isAtLeast, useInstance, useService } from '../service/place.js'
import { usePeople } from '../service/use-people.js'
import { labelOf, useTexts, wordOf } from '../texts/texts.js'

type PanelProps = {
  /** The object as it is stored. */
  readonly value: JsonObject
  readonly faults: Readonly<Record<string, string>>
  readonly isAllowed: boolean
  readonly isSaving: boolean
  /** Saves what was typed, and the review with it. */
  readonly onSend: (review: JsonObject) => void
}

const noteValue = model.resources
  .flatMap(({ about }) => about)
  .find(({ name }) => name === 'review_note')?.value
/** The most characters of a note. */
const noteLength = noteValue?.kind === 'text' ? noteValue.maxLength : undefined

/** Where the review of a draft is, and what the user can do about it: ask for one, answer it, withdraw it. */
export const ReviewPanel = ({ value, faults, isAllowed, isSaving, onSend }: PanelProps) => {
  const texts = useTexts()
  const { review: own } = texts
  const { role } = useInstance()
  const { me } = useService()
  const people = usePeople()
  const [note, setNote] = useState('')
  const { review = null, review_by: by = null, review_at: at = null, review_assignee: to = null } = value
  // Who has acted last is to act next, except oneself.
  const [assignee, setAssignee] = useState(textOf(by === me.uuid ? to : by) ?? '')
  const nameOf = (uuid: unknown): string =>
    people.find((person) => person.uuid === uuid)?.name ?? own.somebody
  const isEditor = isAtLeast(role, model.unrestricted)
  const isRequested = review === 'requested'
  const send = (next: string | null) => () => {
    setNote('')
    onSend(
      next === null
        ? { review: null }
        : { review: next, review_note: note === '' ? null : note, review_assignee: assignee || null },
    )
  }
  const button = (next: string | null, label: string, variant = 'default') => (
    <Button variant={variant} loading={isSaving} onClick={send(next)}>
      {label}
    </Button>
  )
  return (
    <Fieldset legend={labelOf(texts, 'review')}>
      <Stack gap="xs">
        {review === null ? (
          <Text size="sm">{own.none}</Text>
        ) : (
          <div>
            <Text size="sm" fw={600}>
              {wordOf(texts, String(review))}
            </Text>
            <Text size="sm">
              {nameOf(by)}, <DateTime value={at} />
            </Text>
            {typeof value['review_note'] === 'string' && (
              <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
                {value['review_note']}
              </Text>
            )}
            {to !== null && <Text size="sm">{own.assigned({ name: nameOf(to) })}</Text>}
          </div>
        )}
        {isAllowed && (
          <>
            <Textarea
              label={own.note}
              autosize
              minRows={2}
              maxLength={noteLength}
              value={note}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
              error={faults['review_note']}
            />
            <NativeSelect
              label={own.assignee}
              data={[
                { value: '', label: own.nobody },
                ...people.map(({ uuid, name }) => ({ value: uuid, label: name })),
              ]}
              value={assignee}
              onChange={({ currentTarget }) => setAssignee(currentTarget.value)}
              error={faults['review_assignee']}
            />
            <Group gap="xs">
              {isEditor && isRequested ? (
                <>
                  {button('approved', own.approve, 'filled')}
                  {button('changes_requested', own.requestChanges)}
                </>
              ) : (
                button('requested', own.request, 'filled')
              )}
              {review !== null && button(null, own.withdraw, 'subtle')}
            </Group>
            {faults['review'] !== undefined && (
              <Text size="sm" c="red" role="alert">
                {faults['review']}
              </Text>
            )}
          </>
        )}
      </Stack>
    </Fieldset>
  )
}

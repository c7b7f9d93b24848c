import { Button, Fieldset, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import type { RefObject } from 'react'
import { model } from 'virtual:model'
import {
  chosenPublication,
  distanceText,
  publicationOf,
  type Publication,
} from '../../publication/zone-time.js'
import { useDateTimeText } from '../layout/date-time.js'
import { isAtLeast, useInstance } from '../service/place.js'
import type { ResourceModel } from '@publishing-service/dashboard'
import type { Draft } from '../service/use-draft.js'
import { useTexts } from '../texts/texts.js'
import { useInstanceTime } from './publication-status.js'

/** Says since when or from when on the public sees an object, or what saving will change about that. */
const usePublicationText = (
  { stored, value }: Draft,
  publication: ResourceModel['publication'],
  now: string,
  isNew: boolean,
): string => {
  const { publication: texts, locale } = useTexts()
  const { timezone } = useInstance()
  const dateTimeText = useDateTimeText()
  const current = publicationOf(value['state'], value['issued'], now)
  const isPending = isNew
    ? current !== 'draft'
    : ['state', 'issued'].some((name) => stored[name] !== value[name])
  if (current === 'draft') return isPending ? texts.willBeDraft : texts.isDraft
  if (current === 'live' && isPending) return texts.willBeLive
  const { issued } = value
  if (typeof issued !== 'string') return publication === 'dependent' ? texts.isLiveWithOthers : texts.isLive
  const when = dateTimeText(issued)
  const values = { when, zone: timezone, distance: distanceText(locale, now, issued) }
  if (current === 'live') return texts.liveSince(values)
  return isPending ? texts.willGoLive(values) : texts.goesLive(values)
}

type StatusProps = {
  readonly draft: Draft
  readonly publication: ResourceModel['publication']
  readonly isNew: boolean
  readonly panel: RefObject<HTMLFieldSetElement | null>
}

/** Says whether an object is public, and leads to the panel, on a screen where the panel is below long texts. */
export const PublicationLink = ({ draft, publication, isNew, panel }: StatusProps) => {
  const text = usePublicationText(draft, publication, useInstanceTime(), isNew)
  return (
    <Button
      variant="default"
      fullWidth
      hiddenFrom="lg"
      h="auto"
      py="xs"
      styles={{ label: { whiteSpace: 'normal' } }}
      onClick={() => {
        panel.current?.scrollIntoView({ block: 'center' })
        panel.current?.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true })
      }}
    >
      {text}
    </Button>
  )
}

type PanelProps = StatusProps & {
  readonly faults: Readonly<Record<string, string>>
  readonly disabled: boolean
}

/** Whether an object is public, and from when on: as a draft, at once, or, if it is scheduled, at a time of the instance's zone. */
export const PublicationPanel = ({ draft, publication, isNew, faults, disabled, panel }: PanelProps) => {
  const { publication: texts } = useTexts()
  const { role, timezone } = useInstance()
  const now = useInstanceTime()
  const text = usePublicationText(draft, publication, now, isNew)
  const { state, issued } = draft.value
  const isScheduled = publication === 'scheduled'
  const current = publicationOf(state, issued, now)
  const mayPublish = isAtLeast(role, model.unrestricted)
  const wasPublished = !isNew && draft.stored['state'] === 'published'
  const choose = (next: Publication): void => {
    const { state: chosen, issued: time } = chosenPublication(next, draft.stored['issued'] ?? null, now)
    draft.set('state', chosen)
    if (isScheduled) draft.set('issued', time)
  }
  return (
    <Fieldset legend={texts.title} ref={panel}>
      <Stack gap="xs">
        <SegmentedControl
          orientation="vertical"
          aria-label={texts.title}
          data={[
            { value: 'draft', label: texts.badges.draft },
            { value: 'live', label: wasPublished ? texts.published : texts.now },
            ...(isScheduled ? [{ value: 'scheduled' as const, label: texts.atTime }] : []),
          ]}
          value={current}
          onChange={choose}
          disabled={disabled || !mayPublish}
        />
        {current === 'scheduled' && (
          <TextInput
            type="datetime-local"
            step={60}
            label={texts.time({ zone: timezone })}
            value={typeof issued === 'string' ? issued.slice(0, 16) : ''}
            onChange={({ currentTarget: { value } }) => {
              if (value !== '') draft.set('issued', value.length === 16 ? `${value}:00` : value)
            }}
            disabled={disabled || !mayPublish}
            error={faults['issued']}
          />
        )}
        <Text size="sm" aria-live="polite">
          {text}
        </Text>
        {!mayPublish && (
          <Text size="sm" c="dimmed">
            {texts.mayNot}
          </Text>
        )}
        {faults['state'] !== undefined && (
          <Text size="sm" c="red" role="alert">
            {faults['state']}
          </Text>
        )}
      </Stack>
    </Fieldset>
  )
}

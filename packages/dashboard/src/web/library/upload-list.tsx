import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { useErrorText } from '../layout/messages.js'
import { IconAction } from '../layout/icon-action.js'
import { useTexts } from '../texts/texts.js'
import type { useUploads } from './use-uploads.js'

/** The progress of uploads. */
export const UploadList = ({ uploads, isRunning, retry, cancel, clear }: ReturnType<typeof useUploads>) => {
  const { errors, library, form } = useTexts()
  const errorText = useErrorText()
  if (uploads.length === 0) return null
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0)
  const sent = uploads.reduce(
    (sum, { file, phase, sent: own }) => sum + (phase === 'done' ? file.size : own),
    0,
  )
  const done = uploads.filter(({ phase }) => phase === 'done').length
  return (
    <Stack gap="xs" role="status" aria-label={library.uploads}>
      <Group justify="space-between">
        <Text size="sm">{library.uploaded({ done, all: uploads.length })}</Text>
        {!isRunning && (
          <Button size="xs" variant="subtle" onClick={clear}>
            {form.done}
          </Button>
        )}
      </Group>
      <Progress
        value={total === 0 ? 100 : (sent / total) * 100}
        aria-label={library.total}
        animated={isRunning}
      />
      {uploads
        .filter(({ phase }) => phase !== 'done')
        .map((state) => (
          <Group key={state.id} wrap="nowrap" gap="xs">
            <Text size="sm" flex={1} lineClamp={1}>
              {state.file.name}
            </Text>
            {state.phase === 'failed' ? (
              <>
                {state.error === null ? (
                  <Text size="sm">{library.cancelled}</Text>
                ) : (
                  <Text size="sm" c="red" role="alert">
                    {errorText(state.error)}
                  </Text>
                )}
                <IconAction
                  icon={IconRefresh}
                  label={`${errors.retry}: ${state.file.name}`}
                  variant="default"
                  size="md"
                  onClick={() => retry(state)}
                />
              </>
            ) : (
              <>
                <Progress
                  w={120}
                  value={(state.sent / Math.max(1, state.file.size)) * 100}
                  aria-label={`${library.progress}: ${state.file.name}`}
                />
                <IconAction
                  icon={IconX}
                  label={`${form.cancel}: ${state.file.name}`}
                  variant="default"
                  size="md"
                  onClick={() => cancel(state.id)}
                />
              </>
            )}
          </Group>
        ))}
    </Stack>
  )
}

import { Alert, Text } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import type { JsonObject } from '@publishing-service/domain/json'
import { useTexts } from '../texts/texts.js'
import { useClockText } from './date-time.js'

/** Says who else has an object open, and since when. */
export const PresenceNotice = ({ others }: { readonly others: readonly JsonObject[] }) => {
  const { presence } = useTexts()
  const clockText = useClockText()
  return (
    <div aria-live="polite">
      {others.length > 0 && (
        <Alert color="blue" icon={<IconUsers aria-hidden />}>
          {others.map(({ user, name, since }) => (
            <Text key={String(user)} size="sm">
              {presence.isOpen({ name: String(name), time: clockText(String(since)) })}
            </Text>
          ))}
        </Alert>
      )}
    </div>
  )
}

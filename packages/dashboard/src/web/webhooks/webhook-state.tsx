import { Badge } from '@mantine/core'
import { useTexts } from '../texts/texts.js'

type Props = { readonly active: boolean; readonly failing: boolean }

/** Whether a web hook is on, and works. */
export const WebhookState = ({ active, failing }: Props) => {
  const { webhooks } = useTexts()
  if (!active)
    return (
      <Badge color="gray" variant="light">
        {webhooks.off}
      </Badge>
    )
  return (
    <Badge color={failing ? 'red' : 'green'} variant="light">
      {failing ? webhooks.failing : webhooks.works}
    </Badge>
  )
}

import { Alert, Button, Group } from '@mantine/core'
import { useTexts } from '../texts/texts.js'

type ConflictProps = { readonly onKeep: () => void; readonly onDiscard: () => void }

/** Somebody else has saved a list meanwhile: one of the two lists is chosen. */
export const ConflictAlert = ({ onKeep, onDiscard }: ConflictProps) => {
  const { conflict } = useTexts()
  return (
    <Alert color="yellow" role="alert" title={conflict.listTitle}>
      <Group gap="xs">
        <Button size="xs" onClick={onKeep}>
          {conflict.keepMine}
        </Button>
        <Button size="xs" variant="default" onClick={onDiscard}>
          {conflict.takeTheirs}
        </Button>
      </Group>
    </Alert>
  )
}

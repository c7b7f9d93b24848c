import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { InvalidateQueryFilters } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { components } from '@publishing-service/client'
import type { JsonObject } from '@publishing-service/domain/json'
import { model } from 'virtual:model'
import type { Versioned } from '../service/api.js'
import { useUnsaved } from '../service/unsaved.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { useTexts } from '../texts/texts.js'
import { FieldInputs } from './resource-form.js'
import { SaveErrors } from './save-bar.js'

type Props = {
  readonly user: Pick<components['schemas']['User'], 'name' | 'email' | 'email_confirmed'>
  readonly save: (changes: JsonObject) => Promise<Versioned>
  /** What is read again after a change; without it, everything of the instance. */
  readonly filters?: InvalidateQueryFilters
  /** What can be done about an address that is not confirmed. */
  readonly unconfirmed: (email: string) => ReactNode
}

/** The name and the e-mail address of a user, and whether the address is confirmed. */
export const UserForm = ({
  user: { name, email, email_confirmed: isConfirmed },
  save,
  filters,
  unconfirmed,
}: Props) => {
  const { account, form } = useTexts()
  const draft = useDraft({ name, email })
  const saving = useSave(save, null, filters)
  useUnsaved(draft.isChanged)
  return (
    <Stack>
      <FieldInputs fields={model.user} draft={draft} faults={saving.faults} isNew={false} />
      {email !== null && !isConfirmed && (
        <Alert color="yellow">
          <Stack gap="xs" align="flex-start">
            <Text size="sm" fw={700}>
              {account.unconfirmed}
            </Text>
            {unconfirmed(email)}
          </Stack>
        </Alert>
      )}
      <SaveErrors {...saving} />
      <Group>
        <Button
          variant="default"
          disabled={!draft.isChanged}
          loading={saving.isSaving}
          onClick={() => void saving.save(draft.changes, null)}
        >
          {form.save}
        </Button>
      </Group>
    </Stack>
  )
}

import { Alert, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { model } from 'virtual:model'
import { lostCharacters } from '../../content/lost-characters.js'
import { Loaded } from '../layout/messages.js'
import type { Versioned } from '../service/api.js'
import { useInstance, usePermission } from '../service/place.js'
import { useUnsaved } from '../service/unsaved.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { PageTitle } from '../layout/page-title.js'
import { draftText, useTexts } from '../texts/texts.js'
import { ResourceForm } from './resource-form.js'
import { SaveBar } from './save-bar.js'

const SettingsForm = ({ loaded }: { readonly loaded: Versioned }) => {
  const { api } = useInstance()
  const texts = useTexts()
  const { collections, form } = texts
  const isAllowed = usePermission('settings', 'update')
  const [stored, setStored] = useState(loaded.value)
  const draft = useDraft(stored)
  const queries = useQueryClient()
  const saving = useSave((changes) => api.change('settings', changes), null)
  useUnsaved(draft.isChanged, () => draftText(texts, draft.changes))
  const save = async () => {
    const saved = await saving.save(draft.changes, null)
    if (saved === null) return
    const sent = { ...stored, ...draft.changes }
    const { value } = await api.read('settings').catch(() => ({ value: sent }))
    setStored(value)
    draft.dropSaved(draft.changes)
    // The header names the instance.
    await queries.invalidateQueries({ queryKey: ['me'] })
  }
  return (
    <Stack maw={860}>
      <PageTitle>{collections.settings}</PageTitle>
      {!isAllowed && <Alert>{form.readOnly}</Alert>}
      <ResourceForm
        fields={model.settings}
        draft={draft}
        faults={saving.faults}
        isNew={false}
        disabled={!isAllowed}
      />
      {isAllowed && (
        <SaveBar
          isChanged={draft.isChanged}
          lost={lostCharacters(draft)}
          state={saving}
          isNew={false}
          onSave={() => void save()}
          onDiscard={draft.reset}
        />
      )}
    </Stack>
  )
}

/** The settings of the instance. */
export const SettingsPage = () => {
  const { api, iid } = useInstance()
  const query = useQuery({ queryKey: [iid, 'settings', 'edited'], queryFn: () => api.read('settings') })
  return <Loaded query={query}>{(loaded) => <SettingsForm loaded={loaded} />}</Loaded>
}

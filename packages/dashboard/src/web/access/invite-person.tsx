import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { components } from '@publishing-service/client'
import { model } from 'virtual:model'
import { Dialog } from '../layout/dialog.js'
import { ErrorMessage } from '../layout/messages.js'
import { FieldInputs } from '../resource/resource-form.js'
import { SaveErrors } from '../resource/save-bar.js'
import { useService } from '../service/place.js'
import { useAction } from '../service/use-action.js'
import { useDraft } from '../service/use-draft.js'
import { useSave } from '../service/use-save.js'
import { useTexts } from '../texts/texts.js'
import { issueLink, ShownLink } from './person-link.js'
import { useAdministeredInstances } from './use-administered-instances.js'

/** Creates a person with roles, and shows the link with which they set up their account. */
export const InvitePerson = ({ onClose }: { readonly onClose: () => void }) => {
  const { access, form, roles } = useTexts()
  const { api, instance } = useService()
  const instances = useAdministeredInstances()
  const draft = useDraft({})
  const [chosen, setChosen] = useState<Readonly<Record<number, string>>>(
    instance === null ? {} : { [instance.iid]: 'editor' },
  )
  const [link, setLink] = useState<components['schemas']['IssuedLink'] | null>(null)
  const [created, setCreated] = useState<string | null>(null)
  const saving = useSave((body) => api.create('users', body), null, { queryKey: ['users'] })
  const issuing = useAction({ queryKey: ['users'] })
  const name = String(draft.value['name'] ?? '')

  const create = async (): Promise<string | null> => {
    const held = Object.entries(chosen).flatMap(([id, role]) =>
      role === '' ? [] : [{ instance: Number(id), roles: [role] }],
    )
    const saved = await saving.save({ ...draft.value, roles: held }, null)
    return saved === null ? null : String(saved.value['uuid'])
  }
  const invite = async () => {
    // The person exists already if only the link could not be made.
    const user = created ?? (await create())
    setCreated(user)
    if (user !== null) await issuing.run(async () => setLink(await issueLink(user)))
  }
  return (
    <Dialog
      title={access.invite}
      onClose={onClose}
      closeOnClickOutside={link === null}
      cancel={link === null ? form.cancel : null}
      buttons={
        link === null ? (
          <Button
            onClick={() => void invite()}
            loading={saving.isSaving || issuing.isRunning}
            disabled={!draft.isChanged}
          >
            {access.createInvitation}
          </Button>
        ) : (
          <Button onClick={onClose}>{form.done}</Button>
        )
      }
    >
      {link === null ? (
        <>
          <FieldInputs
            fields={model.user}
            draft={draft}
            faults={saving.faults}
            isNew
            disabled={created !== null}
          />
          {instances.map(({ id, title }) => (
            <NativeSelect
              key={id}
              label={access.roleOn({ title })}
              disabled={created !== null}
              data={[
                { value: '', label: access.noRole },
                ...model.roles.map((value) => ({ value, label: roles[value] })),
              ]}
              value={chosen[id] ?? ''}
              onChange={({ currentTarget: { value } }) => setChosen({ ...chosen, [id]: value })}
            />
          ))}
          <SaveErrors {...saving} />
          {issuing.error !== null && <ErrorMessage error={issuing.error} />}
        </>
      ) : (
        <ShownLink link={link} name={name} />
      )}
    </Dialog>
  )
}

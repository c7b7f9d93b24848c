import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { JsonObject } from '@publishing-service/domain/json'
import type { Field } from '@publishing-service/dashboard'
import { model } from 'virtual:model'
import { isJsonObject } from '../../json.js'
import { importFaults, importRequest, initialValues, optionsOf } from '../../imports/import-request.js'
import { FaultList } from '../fields/item-dialog.js'
import { PartsFieldset } from '../fields/object-input.js'
import { FieldInput } from '../fields/value-input.js'
import { useErrorText } from '../layout/messages.js'
import { PageTitle } from '../layout/page-title.js'
import { UploadButton } from '../library/upload-button.js'
import { useUploads } from '../library/use-uploads.js'
import { listPath } from '../service/list-state.js'
import { useInstance } from '../service/place.js'
import { isServiceError } from '../service/session.js'
import { navigateSaved } from '../service/unsaved.js'
import { useSave } from '../service/use-save.js'
import { textNamed, useTexts } from '../texts/texts.js'
import { useImportLabel } from './use-import-label.js'

const { fields } = model.imports

const isSwitch = ({ value }: Field): boolean => value.kind === 'boolean'

const namesOf = (of: readonly Field[]): readonly string[] => of.map(({ name }) => name)

type InputsProps = {
  readonly of: readonly Field[]
  readonly values: JsonObject
  readonly onChange: (part: JsonObject) => void
  readonly faults: Readonly<Record<string, string>>
}

const Inputs = ({ of, values, onChange, faults }: InputsProps) => {
  const { imports } = useTexts()
  const labelOf = useImportLabel()
  return of.map((field) => {
    const { name } = field
    const help = name === 'file_uuid' ? textNamed(imports.exports, String(values['kind'])) : undefined
    const value = values[name] ?? null
    if (field.value.kind === 'object') {
      const parts = isJsonObject(value) ? value : {}
      return (
        <PartsFieldset
          key={name}
          label={labelOf(name)}
          help={textNamed(imports.help, name)}
          fault={faults[name]}
        >
          <Inputs
            of={field.value.fields}
            values={parts}
            onChange={(part) => onChange({ [name]: { ...parts, ...part } })}
            faults={{}}
          />
        </PartsFieldset>
      )
    }
    return (
      <FieldInput
        key={name}
        field={field}
        label={labelOf(name)}
        help={help ?? textNamed(imports.help, name)}
        value={value}
        onChange={(next) => onChange({ [name]: next })}
        fault={faults[name]}
      />
    )
  })
}

/** Begins an import: of what, and how. */
export const NewImportPage = () => {
  const { errors, form, imports } = useTexts()
  const labelOf = useImportLabel()
  const errorText = useErrorText()
  const { api, iid } = useInstance()
  const [values, setValues] = useState<JsonObject>({ ...initialValues(fields), dry_run: true })
  const [options, setOptions] = useState<JsonObject>({})
  const change = (part: JsonObject) => setValues((current) => ({ ...current, ...part }))
  const uploads = useUploads(([first]) => {
    if (first !== undefined) change({ file_uuid: first.uuid })
  })
  const saving = useSave((body) => api.create('imports', body), null, { queryKey: [iid, 'imports', 'list'] })
  const optionFields = optionsOf(model.imports, values['kind'])
  const info = isServiceError(saving.error) ? saving.error.faults : {}
  const { ofFields, ofOptions, hasOthers } = importFaults(info, namesOf(fields), namesOf(optionFields))
  const shown = { ...ofFields, ...ofOptions }
  const isListed = !hasOthers && Object.keys(shown).length > 0
  const begin = async () => {
    const saved = await saving.save(importRequest(values, options), null)
    if (saved !== null) navigateSaved(`/${iid}/imports/${String(saved.value['uuid'])}`)
  }
  const inputs = { values, faults: ofFields, onChange: change }
  const named = (name: string) => fields.filter((field) => field.name === name)
  const others = fields.filter((field) => field.name !== 'kind' && !isSwitch(field))
  return (
    <Stack maw={720}>
      <Anchor component={Link} href={listPath(`/${iid}/imports`)} size="sm">
        {form.back}
      </Anchor>
      <PageTitle>{imports.newTitle}</PageTitle>
      <Inputs
        {...inputs}
        of={named('kind')}
        onChange={(part) => {
          change(part)
          setOptions(initialValues(optionsOf(model.imports, part['kind'])))
          saving.clear()
        }}
      />
      <Inputs {...inputs} of={others} />
      <UploadButton multiple={false} uploads={uploads} />
      <Inputs
        of={optionFields}
        values={options}
        onChange={(part) => setOptions((current) => ({ ...current, ...part }))}
        faults={ofOptions}
      />
      <Inputs {...inputs} of={fields.filter(isSwitch)} />
      {saving.error !== null && (
        <Alert color="red" role="alert" title={isListed ? form.incomplete : errors.title}>
          {isListed ? (
            <FaultList faults={shown} labels={labelOf} />
          ) : (
            <Text size="sm" className="fault">
              {errorText(saving.error)}
            </Text>
          )}
        </Alert>
      )}
      <Group>
        <Button onClick={() => void begin()} loading={saving.isSaving} disabled={uploads.isRunning}>
          {values['dry_run'] === true ? imports.beginTrial : imports.begin}
        </Button>
      </Group>
    </Stack>
  )
}

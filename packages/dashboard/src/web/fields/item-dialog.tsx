import { Alert, Button, List } from '@mantine/core'
import { useState, type ComponentType } from 'react'
import type { JsonObject } from '@publishing-service/domain/json'
import type { ItemModel } from '@publishing-service/dashboard'
import { fieldsOfItem, missingIn } from '../../content/item-faults.js'
import { Dialog } from '../layout/dialog.js'
import type { Texts } from '../../texts/languages.js'
import { labelOf, useTexts } from '../texts/texts.js'
import { FieldInput } from './value-input.js'

/** By the names of the fields. */
export type Faults = Readonly<Record<string, string>>

export type SpecialProps = {
  readonly item: JsonObject
  readonly change: (part: JsonObject) => void
  readonly faults: Faults
}

/** Inputs in place of those of some fields, whose values depend on each other. */
export type SpecialInputs = {
  readonly names: readonly string[]
  readonly Inputs: ComponentType<SpecialProps>
  readonly faultsIn: (item: JsonObject, texts: Texts) => Faults
}

type FaultProps = {
  readonly faults: Faults
  /** The labels of the fields, if they are others than those of attributes. */
  readonly labels?: (name: string) => string
}

/** What was not accepted of each field. */
export const FaultList = ({ faults, labels }: FaultProps) => {
  const texts = useTexts()
  return (
    <List size="sm">
      {Object.entries(faults).map(([name, fault]) => (
        <List.Item key={name}>
          <strong>{labels?.(name) ?? labelOf(texts, name)}</strong>: <span className="fault">{fault}</span>
        </List.Item>
      ))}
    </List>
  )
}

type ItemForm = {
  readonly title: string
  readonly model: ItemModel
  readonly specialOf?: (item: JsonObject) => SpecialInputs | undefined
}

type DialogProps = Pick<ItemForm, 'title' | 'model'> & {
  readonly item: JsonObject
  readonly special: SpecialInputs | undefined
  readonly onClose: () => void
  readonly onApply: (item: JsonObject) => void
}

/** The form of one item of a list, such as a medium: the fields of its `type`. It is stored with its list. */
const ItemDialog = ({ title, model, item, special, onClose, onApply }: DialogProps) => {
  const texts = useTexts()
  const [value, setValue] = useState(item)
  const [isTried, setTried] = useState(false)
  const missing = missingIn(model, value).map(([name = '', ...others]) => [
    name,
    others.length === 0
      ? texts.form.required
      : texts.form.requiredUnless({ others: others.map((other) => labelOf(texts, other)).join(', ') }),
  ])
  const found: Faults = { ...special?.faultsIn(value, texts), ...Object.fromEntries(missing) }
  const faults = isTried ? found : {}
  const change = (part: JsonObject) => setValue((current) => ({ ...current, ...part }))
  return (
    <Dialog
      title={title}
      size="lg"
      centered={false}
      onClose={onClose}
      buttons={
        <Button onClick={() => (Object.keys(found).length === 0 ? onApply(value) : setTried(true))}>
          {texts.form.apply}
        </Button>
      }
    >
      {special !== undefined && <special.Inputs item={value} change={change} faults={faults} />}
      {fieldsOfItem(model.fields, value)
        .filter(({ name }) => special?.names.includes(name) !== true)
        .map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            fault={faults[field.name]}
            value={value[field.name] ?? null}
            onChange={(next) => change({ [field.name]: next })}
          />
        ))}
      {Object.keys(faults).length > 0 && (
        <Alert color="red" role="alert" title={texts.form.incomplete}>
          <FaultList faults={faults} />
        </Alert>
      )}
    </Dialog>
  )
}

/** Edits the items of a list in a dialog, one at a time. */
export const useItemDialog = (
  items: readonly JsonObject[],
  onChange: (items: readonly JsonObject[]) => void,
) => {
  /** The item that is edited: its position, or that of a new one. */
  const [edited, setEdited] = useState<{ readonly index: number; readonly item: JsonObject } | null>(null)
  const close = () => setEdited(null)
  return {
    edit: (index: number) => setEdited({ index, item: items[index] ?? {} }),
    create: (item: JsonObject) => setEdited({ index: items.length, item }),
    /** The dialog, if an item is edited. */
    show: ({ specialOf, ...form }: ItemForm) =>
      edited !== null && (
        <ItemDialog
          {...form}
          item={edited.item}
          special={specialOf?.(edited.item)}
          onClose={close}
          onApply={(item) => {
            onChange(items.toSpliced(edited.index, 1, item))
            close()
          }}
        />
      ),
  }
}

import { Alert } from '@mantine/core'
import { Fragment } from '@tiptap/pm/model'
import { EditorContent, useEditor, type Editor, type JSONContent } from '@tiptap/react'
import { use, useEffect, useRef } from 'react'
import { model } from 'virtual:model'
import { documentFrom, markupNodesOf, type EditorNode } from '../../markup/editor-document.js'
import { editorExtensions } from '../../editor/editor-extensions.js'
import { elementKinds } from '../../markup/element-kinds.js'
import { markupOf } from '../../markup/element-tree.js'
import { insertSlots, removeSlots } from '../../editor/slot-place.js'
import type { InputProps } from '../fields/input-props.js'
import { useTexts } from '../texts/texts.js'
import classes from './markup-editor.module.css'
import { parseMarkup } from './parse-markup.js'
import { CurrentSlotEditing } from './slot-editing.js'
import { shownSlot } from './slot-node.js'
import { Toolbar } from './toolbar.js'
import { usePaste } from './use-paste.js'

const kinds = elementKinds(model.elements)
const emptyDocument: EditorNode = { type: 'doc', content: [{ type: 'p' }] }

const slotless = model.elements.filter(({ name }) => name !== 'slot')
const extensions = {
  body: editorExtensions(model.elements, shownSlot),
  plain: editorExtensions(slotless, null),
}

/** The document of markup; null if the markup is not well-formed. */
const documentOf = (markup: string): JSONContent | null => {
  const nodes = parseMarkup(markup)
  if (nodes === null) return null
  const document = documentFrom(nodes, kinds)
  return (document.content?.length === 0 ? emptyDocument : document) as JSONContent
}

const markupIn = (editor: Editor): string => {
  const markup = markupOf(markupNodesOf(editor.getJSON() as EditorNode))
  return markup === '<p></p>' ? '' : markup
}

type RichProps = InputProps<'markup'> & {
  readonly labelId: string
  /** Whether the text is edited here now. Otherwise the editor waits, with the changes that can be undone. */
  readonly isShown: boolean
}

/** A text as its readers see it, edited in place. */
export const RichText = ({ type, value, onChange, disabled = false, labelId, isShown }: RichProps) => {
  const { markup: texts, form } = useTexts()
  const { createSlot, failedSlots, Failed } = use(CurrentSlotEditing)
  const markup = typeof value === 'string' ? value : ''
  /** The markup that the editor contains: a value from elsewhere replaces it. */
  const contained = useRef(markup)
  const change = useRef(onChange)
  change.current = onChange
  const paste = usePaste(type.hasSlots)
  const editor = useEditor({
    extensions: type.hasSlots ? extensions.body : extensions.plain,
    content: documentOf(markup),
    editable: !disabled,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: { 'aria-labelledby': labelId, 'aria-multiline': 'true', role: 'textbox' },
      ...paste.editorProps,
    },
    onUpdate: ({ editor: current, transaction }) => {
      if (!transaction.docChanged) return
      contained.current = markupIn(current)
      change.current(contained.current === '' ? null : contained.current)
    },
  })
  useEffect(() => {
    editor.setEditable(!disabled, false)
  }, [editor, disabled])
  useEffect(() => {
    if (!isShown || markup === contained.current) return
    contained.current = markup
    editor.commands.setContent(documentOf(markup) ?? '', { emitUpdate: false })
  }, [editor, markup, isShown])
  useEffect(() => {
    if (isShown && failedSlots.size > 0) editor.view.dispatch(removeSlots(editor.state.tr, failedSlots))
  }, [editor, failedSlots, isShown])
  const insertSlot = (id: string): void => {
    const { tr, schema, selection } = editor.state
    const slot = Fragment.from(schema.nodes['slot']?.create({ attributes: { id } }))
    editor.view.dispatch(insertSlots(tr, selection.to, slot))
    editor.commands.focus()
  }
  const insertMedia = createSlot === null || !type.hasSlots ? undefined : () => insertSlot(createSlot())
  return (
    <div className={classes['frame']} hidden={!isShown}>
      {!disabled && <Toolbar editor={editor} insertSlot={insertMedia} />}
      {paste.isIncomplete && (
        <Alert
          color="yellow"
          role="alert"
          withCloseButton
          closeButtonLabel={form.close}
          onClose={paste.dismiss}
        >
          {[
            paste.missing.pictures > 0 && texts.missingPictures(paste.missing.pictures),
            paste.missing.others > 0 && texts.missingOthers,
            insertMedia !== undefined && texts.addMissing,
          ]
            .filter((text) => text !== false)
            .join(' ')}
        </Alert>
      )}
      {type.hasSlots && <Failed insertSlot={insertSlot} />}
      <EditorContent editor={editor} className={classes['content']} />
    </div>
  )
}

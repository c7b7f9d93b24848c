import {
  ActionIcon,
  Box,
  Button,
  Group,
  Input,
  Popover,
  SegmentedControl,
  Select,
  Text,
  Textarea,
  TextInput,
  Toolbar as OneTabStop,
} from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconCode,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPhotoPlus,
  IconSeparator,
  IconSubscript,
  IconSuperscript,
  type Icon,
} from '@tabler/icons-react'
import { EditorContent, useEditor, useEditorState, type Editor, type JSONContent } from '@tiptap/react'
import { use, useEffect, useId, useRef, useState } from 'react'
import { model } from 'virtual:model'
import { bareBlock, documentFrom, markupNodesOf, type EditorNode } from '../../markup/editor-document.js'
import { elementKinds } from '../../markup/element-kinds.js'
import { markupOf, unknownElement } from '../../markup/element-tree.js'
import type { InputProps } from '../fields/input-props.js'
import { useTexts } from '../texts/texts.js'
import { editorExtensions } from './editor-extensions.js'
import classes from './markup-editor.module.css'
import { MarkupPreview } from './markup-preview.js'
import { parseMarkup } from './parse-markup.js'
import { CurrentSlotEditing } from './slot-editing.js'
import { slotNode } from './slot-node.js'

const kinds = elementKinds(model.elements)

/** The elements that rich text can have. The editor would drop a text with others. */
const elementNames = new Set(model.elements.map(({ name }) => name))
const namesWithoutSlots = new Set([...elementNames].filter((name) => name !== 'slot'))
const emptyDocument: EditorNode = { type: 'doc', content: [{ type: 'p' }] }

const slotless = model.elements.filter(({ name }) => name !== 'slot')
const extensions = {
  body: editorExtensions(model.elements, slotNode),
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

type ToolProps = {
  readonly label: string
  readonly icon: Icon
  readonly isActive?: boolean
  readonly isDisabled?: boolean
  readonly run: () => void
}

const Tool = ({ label, icon: Symbol, isActive = false, isDisabled = false, run }: ToolProps) => (
  <ActionIcon
    variant={isActive ? 'light' : 'subtle'}
    color={isActive ? undefined : 'gray'}
    aria-label={label}
    title={label}
    aria-pressed={isActive}
    disabled={isDisabled}
    data-toolbar-toggle
    onMouseDown={(event) => event.preventDefault()}
    onClick={run}
  >
    <Symbol size={18} stroke={1.5} aria-hidden />
  </ActionIcon>
)

const LinkTool = ({ editor, current }: { readonly editor: Editor; readonly current: string | null }) => {
  const { markup } = useTexts()
  const [isOpen, setOpen] = useState(false)
  const [address, setAddress] = useState('')
  const open = () => {
    setAddress(current ?? '')
    setOpen(true)
  }
  const apply = () => {
    const chain = editor.chain().focus().extendMarkRange('a').unsetMark('a')
    const href = address.trim()
    if (href === '') chain.run()
    else
      chain
        .setMark('a', { attributes: { href: /^[\w.-]+\.\w+/.test(href) ? `https://${href}` : href } })
        .run()
    setOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow withRoles={false}>
      <Popover.Target>
        <div>
          <Tool label={markup.link} icon={IconLink} isActive={current !== null} run={open} />
        </div>
      </Popover.Target>
      <Popover.Dropdown>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={markup.linkAddress}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              apply()
            }}
          />
          <Button onClick={apply}>{markup.apply}</Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

const blockNames = ['p', 'h2', 'h3', 'h4', 'pre'] as const

const Toolbar = ({
  editor,
  insertSlot,
}: {
  readonly editor: Editor
  readonly insertSlot?: (() => void) | undefined
}) => {
  const { markup } = useTexts()
  const state = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      block: blockNames.find((name) => current.isActive(name)) ?? null,
      marks: ['strong', 'em', 'code', 'sub', 'sup'].filter((name) => current.isActive(name)),
      lists: ['ul', 'ol', 'blockquote'].filter((name) => current.isActive(name)),
      link: current.isActive('a')
        ? ((current.getAttributes('a')['attributes'] as { href?: string } | undefined)?.href ?? '')
        : null,
      canUndo: current.can().undo(),
      canRedo: current.can().redo(),
    }),
  })
  const mark = (name: string, label: string, icon: Icon) => (
    <Tool
      label={label}
      icon={icon}
      isActive={state.marks.includes(name)}
      run={() => editor.chain().focus().toggleMark(name).run()}
    />
  )
  const list = (name: string, label: string, icon: Icon) => (
    <Tool
      label={label}
      icon={icon}
      isActive={state.lists.includes(name)}
      run={() => editor.chain().focus().setNode(bareBlock).toggleList(name, 'li').run()}
    />
  )
  return (
    <OneTabStop withBorder={false} className={classes['toolbar']} aria-label={markup.toolbar}>
      <Select
        data-toolbar-toggle
        size="xs"
        w={140}
        aria-label={markup.block}
        data={blockNames.map((name) => ({ value: name, label: markup.blocks[name] }))}
        value={state.block}
        allowDeselect={false}
        onChange={(name) => {
          if (name !== null) editor.chain().focus().setNode(name).run()
        }}
      />
      {mark('strong', markup.strong, IconBold)}
      {mark('em', markup.emphasis, IconItalic)}
      <LinkTool editor={editor} current={state.link} />
      {list('ul', markup.bullets, IconList)}
      {list('ol', markup.numbers, IconListNumbers)}
      <Tool
        label={markup.quotation}
        icon={IconBlockquote}
        isActive={state.lists.includes('blockquote')}
        run={() => editor.chain().focus().toggleWrap('blockquote').run()}
      />
      {mark('code', markup.code, IconCode)}
      {mark('sub', markup.subscript, IconSubscript)}
      {mark('sup', markup.superscript, IconSuperscript)}
      <Tool
        label={markup.rule}
        icon={IconSeparator}
        run={() => editor.chain().focus().insertContent({ type: 'hr' }).run()}
      />
      {insertSlot !== undefined && <Tool label={markup.insertMedia} icon={IconPhotoPlus} run={insertSlot} />}
      <Tool
        label={markup.undo}
        icon={IconArrowBackUp}
        isDisabled={!state.canUndo}
        run={() => editor.chain().focus().undo().run()}
      />
      <Tool
        label={markup.redo}
        icon={IconArrowForwardUp}
        isDisabled={!state.canRedo}
        run={() => editor.chain().focus().redo().run()}
      />
    </OneTabStop>
  )
}

type RichProps = InputProps<'markup'> & { readonly labelId: string }

const RichText = ({ type, value, onChange, disabled = false, labelId }: RichProps) => {
  const { createSlot } = use(CurrentSlotEditing)
  const markup = typeof value === 'string' ? value : ''
  /** The markup that the editor contains: a value from elsewhere replaces it. */
  const contained = useRef(markup)
  const change = useRef(onChange)
  change.current = onChange
  const editor = useEditor({
    extensions: type.hasSlots ? extensions.body : extensions.plain,
    content: documentOf(markup),
    editable: !disabled,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: { attributes: { 'aria-labelledby': labelId, 'aria-multiline': 'true', role: 'textbox' } },
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
    if (markup === contained.current) return
    contained.current = markup
    editor.commands.setContent(documentOf(markup) ?? '', { emitUpdate: false })
  }, [editor, markup])
  const insertSlot =
    createSlot === null || !type.hasSlots
      ? undefined
      : () => {
          const attributes = { id: createSlot() }
          editor.chain().focus().insertContent({ type: 'slot', attrs: { attributes } }).run()
        }
  return (
    <div className={classes['frame']}>
      {!disabled && <Toolbar editor={editor} insertSlot={insertSlot} />}
      <EditorContent editor={editor} className={classes['content']} />
    </div>
  )
}

const modes = ['rich', 'source', 'preview'] as const
type Mode = (typeof modes)[number]

/** Markup as rich text, as source, or as readers see it. Markup that is not changed is not rewritten. */
export const MarkupEditor = (props: InputProps<'markup'>) => {
  const { label, help, fault, value, onChange, required, disabled, type } = props
  const { markup } = useTexts()
  const labelId = useId()
  const text = typeof value === 'string' ? value : ''
  const nodes = parseMarkup(text)
  const unknown =
    nodes === null ? null : unknownElement(nodes, type.hasSlots ? elementNames : namesWithoutSlots)
  const sourceOnly =
    nodes === null ? markup.notWellFormed : unknown === null ? null : markup.unknownElement(unknown)
  const [mode, setMode] = useState<Mode>('rich')
  const shown =
    (mode === 'rich' && sourceOnly !== null) || (mode === 'preview' && nodes === null) ? 'source' : mode
  return (
    <Input.Wrapper
      label={label}
      description={help}
      error={fault}
      withAsterisk={required}
      labelElement="div"
      labelProps={{ id: labelId }}
    >
      <Box mt={4}>
        <SegmentedControl
          size="xs"
          mb={4}
          aria-label={markup.mode}
          data={modes.map((each) => ({ value: each, label: markup[each] }))}
          value={shown}
          onChange={setMode}
        />
        {shown !== mode && (
          <Text size="sm" c="red" role="alert">
            {sourceOnly}
          </Text>
        )}
        {shown === 'rich' && <RichText {...props} labelId={labelId} />}
        {shown === 'preview' && (
          <div role="group" aria-labelledby={labelId} className={classes['frame']}>
            <MarkupPreview markup={text} />
          </div>
        )}
        {shown === 'source' && (
          <Textarea
            aria-labelledby={labelId}
            value={text}
            onChange={(event) =>
              onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)
            }
            maxLength={type.maxLength}
            disabled={disabled}
            autosize
            minRows={6}
            maxRows={30}
            classNames={{ input: classes['source'] ?? '' }}
            spellCheck={false}
          />
        )}
      </Box>
    </Input.Wrapper>
  )
}

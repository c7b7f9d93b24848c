import { ActionIcon, Button, Group, Popover, Select, TextInput, Toolbar as OneTabStop } from '@mantine/core'
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
import { useEditorState, type Editor } from '@tiptap/react'
import { useState } from 'react'
import { model } from 'virtual:model'
import { bareBlock } from '../../markup/editor-document.js'
import { toggleList, type ListKind } from '../../editor/list-commands.js'
import { attributesOf } from '../../editor/node-attributes.js'
import { useTexts } from '../texts/texts.js'
import classes from './markup-editor.module.css'

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
  const { form, markup } = useTexts()
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
          <Button onClick={apply}>{form.apply}</Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

const toggled = ['strong', 'em', 'code', 'sub', 'sup', 'ul', 'ol', 'blockquote']
const blockNames = ['p', 'h2', 'h3', 'h4', 'pre'] as const

/** What the editor can do with the selected text. */
export const Toolbar = ({
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
      block: blockNames.find((name) => current.isActive(name)) ?? (current.isActive(bareBlock) ? 'p' : null),
      active: toggled.filter((name) => current.isActive(name)),
      link: current.isActive('a') ? (attributesOf(current.getAttributes('a'))['href'] ?? '') : null,
      canUndo: current.can().undo(),
      canRedo: current.can().redo(),
    }),
  })
  const chain = () => editor.chain().focus()
  const mark = (name: string, label: string, icon: Icon) => (
    <Tool
      label={label}
      icon={icon}
      isActive={state.active.includes(name)}
      run={() => chain().toggleMark(name).run()}
    />
  )
  const list = (name: ListKind, label: string, icon: Icon) => (
    <Tool
      label={label}
      icon={icon}
      isActive={state.active.includes(name)}
      run={() => {
        toggleList(name, model.elements)(editor.state, editor.view.dispatch)
        editor.commands.focus()
      }}
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
          if (name !== null) chain().setNode(name).run()
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
        isActive={state.active.includes('blockquote')}
        run={() => chain().toggleWrap('blockquote').run()}
      />
      {mark('code', markup.code, IconCode)}
      {mark('sub', markup.subscript, IconSubscript)}
      {mark('sup', markup.superscript, IconSuperscript)}
      <Tool
        label={markup.rule}
        icon={IconSeparator}
        run={() => chain().insertContent({ type: 'hr' }).run()}
      />
      {insertSlot !== undefined && <Tool label={markup.insertMedia} icon={IconPhotoPlus} run={insertSlot} />}
      <Tool
        label={markup.undo}
        icon={IconArrowBackUp}
        isDisabled={!state.canUndo}
        run={() => chain().undo().run()}
      />
      <Tool
        label={markup.redo}
        icon={IconArrowForwardUp}
        isDisabled={!state.canRedo}
        run={() => chain().redo().run()}
      />
    </OneTabStop>
  )
}

import { Fragment, type Slice } from '@tiptap/pm/model'
import type { EditorView } from '@tiptap/pm/view'
import { use, useEffect, useMemo, useRef, useState } from 'react'
import { markupOf } from '../../markup/element-tree.js'
import type { EmbeddedPicture, Missing } from '../../editor/pasted-markup.js'
import { pasteBlocks, pastedSlice } from '../../editor/pasted-slice.js'
import { draggedSlot, insertSlots } from '../../editor/slot-place.js'
import { parseMarkup } from './parse-markup.js'
import { CurrentSlotEditing } from './slot-editing.js'

/** The reader of pasted HTML. Its parser is not that of the browser, which applies styles that the policy of the page forbids. */
const loadReader = async () => (await import('../../editor/pasted-markup.js')).pastedMarkup

const nothing: Missing = { pictures: 0, others: 0 }

/** The types of pictures that every browser shows. */
const shownType = /^image\/(?:png|jpeg|gif|webp)$/

const fileOf = ({ mimetype, base64, title }: EmbeddedPicture): File => {
  const bytes = Uint8Array.from(atob(base64.replace(/\s/g, '')), (each) => each.charCodeAt(0))
  const extension = mimetype.split('/')[1] ?? ''
  return new File([bytes], `${title === '' ? 'picture' : title}.${extension}`, { type: mimetype })
}

/** Without this, the browser would open a dropped file in place of the page. */
const handled = (event: Event, isHandled: boolean): boolean => {
  if (isHandled) event.preventDefault()
  return isHandled
}

/**
 * What the editor does with what is pasted or dropped: markup of other programs is cleaned, pictures are uploaded into
 * slots, and the rest is counted, so that the user can add it in another way.
 */
export const usePaste = (hasSlots: boolean) => {
  const { createSlot, canUpload } = use(CurrentSlotEditing)
  const [missing, setMissing] = useState(nothing)
  const create = useRef<typeof createSlot>(null)
  create.current = hasSlots && canUpload ? createSlot : null

  const read = useRef<Awaited<ReturnType<typeof loadReader>>>(null)
  useEffect(() => {
    const load = async (): Promise<void> => {
      read.current = await loadReader()
    }
    void load()
  }, [])

  const editorProps = useMemo(() => {
    const pasteLater = async (view: EditorView, html: string): Promise<void> => {
      read.current = await loadReader()
      view.pasteHTML(html)
    }

    /** Whether there were files; pictures are inserted next to the block at the position. */
    const insertFiles = (view: EditorView, files: readonly File[], position: number): boolean => {
      if (files.length === 0) return false
      const pictures = create.current === null ? [] : files.filter(({ type }) => shownType.test(type))
      const slot = pictures.length === 0 ? undefined : view.state.schema.nodes['slot']
      if (slot !== undefined && create.current !== null) {
        const attributes = { id: create.current(pictures) }
        view.dispatch(insertSlots(view.state.tr, position, Fragment.from(slot.create({ attributes }))))
      }
      const left = files.filter((file) => !pictures.includes(file))
      const others = left.filter(({ type }) => !type.startsWith('image/')).length
      setMissing({ pictures: left.length - others, others })
      return true
    }

    /** Whether files are dragged over the editor, which then shows where their slot would be. */
    let isDraggingFiles = false
    const dragFiles = (view: EditorView, isDragging: boolean): void => {
      if (!isDragging && !isDraggingFiles) return
      view.dragging = isDragging ? { slice: draggedSlot(view.state.schema), move: false } : null
      isDraggingFiles = isDragging
    }
    /** Whether what is pasted was copied in an editor such as this one. */
    let isCopied = false

    return {
      transformPastedHTML: (html: string): string => {
        isCopied = html.includes('data-pm-slice')
        if (isCopied || read.current === null) return html
        const pasted = read.current(
          html,
          (pictures) => create.current?.(pictures.map(fileOf)) ?? null,
          parseMarkup,
        )
        setMissing(pasted.missing)
        return markupOf(pasted.nodes)
      },
      transformPasted: (slice: Slice, view: EditorView): Slice =>
        pastedSlice(slice, view.state.selection.$from, isCopied),
      handlePaste: (view: EditorView, _event: ClipboardEvent, slice: Slice): boolean => {
        const transaction = pasteBlocks(view.state.tr, slice)
        if (transaction === null) return false
        view.dispatch(transaction.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'))
        return true
      },
      // Before the editor reads the markup that is pasted or dropped with the files.
      handleDOMEvents: {
        paste: (view: EditorView, event: ClipboardEvent): boolean => {
          const { clipboardData: data } = event
          if (data === null) return false
          const html = data.getData('text/html')
          if (html !== '' && read.current === null) {
            void pasteLater(view, html)
            return handled(event, true)
          }
          // Office programs add a picture of the text to the text.
          const files = data.getData('text/plain').trim() === '' ? [...data.files] : []
          return handled(event, insertFiles(view, files, view.state.selection.to))
        },
        dragover: (view: EditorView, { dataTransfer }: DragEvent): boolean => {
          const hasFiles = create.current !== null && dataTransfer?.types.includes('Files') === true
          if (view.dragging === null) dragFiles(view, hasFiles)
          return false
        },
        dragleave: (view: EditorView): boolean => {
          dragFiles(view, false)
          return false
        },
        drop: (view: EditorView, event: DragEvent): boolean => {
          dragFiles(view, false)
          // What is dragged within the editor is not uploaded.
          const files = view.dragging === null ? [...(event.dataTransfer?.files ?? [])] : []
          const { pos } = view.posAtCoords({ left: event.clientX, top: event.clientY }) ?? {}
          return handled(event, insertFiles(view, files, pos ?? view.state.selection.to))
        },
      },
    }
  }, [])

  return {
    editorProps,
    missing,
    isIncomplete: missing.pictures + missing.others > 0,
    dismiss: () => setMissing(nothing),
  }
}

/** Functions that the test of stored markup runs in its page. */

/** Inserts each text into the page in one way. Returns what is not inert in the resulting documents. */
const show = async (way, texts, names, schemes) => {
  const wrong = []
  const inspect = (root, text) => {
    for (const element of root.querySelectorAll('*')) {
      const { localName, namespaceURI } = element
      if (!names.includes(localName) || namespaceURI !== 'http://www.w3.org/1999/xhtml')
        wrong.push(`<${localName}> by ${text}`)
      for (const { name, value } of element.attributes) {
        if (/^on|^style$|:/.test(name)) wrong.push(`${name} by ${text}`)
        if (!['href', 'src', 'cite'].includes(name) || localName === 'slot') continue
        const { protocol } = new URL(value, 'https://page.test/')
        if (!schemes.includes(protocol)) wrong.push(`${name}="${value}" by ${text}`)
      }
      for (const type of ['click', 'focus', 'mouseover', 'error', 'load', 'toggle'])
        element.dispatchEvent(new Event(type, { cancelable: true }))
    }
  }
  document.addEventListener('click', (event) => event.preventDefault(), true)
  const frames = []
  const frame = () => {
    const made = document.createElement('iframe')
    frames.push(made)
    return made
  }
  const insert = {
    innerHTML: (text) => {
      const made = document.body.appendChild(document.createElement('div'))
      made.innerHTML = text
      inspect(made, text)
    },
    'document.write': (text) => {
      const { contentDocument } = document.body.appendChild(frame())
      contentDocument.open()
      contentDocument.write(`<!doctype html><html><head></head><body><main>${text}</main></body></html>`)
      contentDocument.close()
      const main = contentDocument.querySelector('body > main:only-child')
      if (main === null) wrong.push(`broke out: ${text}`)
      else inspect(main, text)
    },
    XHTML: async (text) => {
      const made = frame()
      const source = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><main>${text}</main></body></html>`
      made.src = URL.createObjectURL(new Blob([source], { type: 'application/xhtml+xml' }))
      await new Promise((resolve) => {
        made.addEventListener('load', resolve)
        document.body.append(made)
      })
      const main = made.contentDocument?.querySelector('body > main:only-child') ?? null
      if (main === null) wrong.push(`not well-formed: ${text}`)
      else inspect(main, text)
    },
  }
  for (const text of texts) await insert[way](text)
  // Events of images and frames occur after this task.
  await new Promise((resolve) => {
    setTimeout(resolve, 100)
  })
  for (const made of frames) made.remove()
  document.body.replaceChildren()
  return wrong
}

/** The texts as an HTML parser reads them, serialized as XML. */
const asXml = (texts) =>
  texts.map((text) => {
    const { head, body } = new DOMParser().parseFromString(text, 'text/html')
    return [...head.childNodes, ...body.childNodes]
      .map((node) => new XMLSerializer().serializeToString(node))
      .join('')
      .replaceAll(' xmlns="http://www.w3.org/1999/xhtml"', '')
  })

/** Of pairs of texts of XML, the first of each whose two differ in more than comments. */
const unequal = (pairs) => {
  const bodyOf = (text) => {
    const xml = new DOMParser().parseFromString(`<body>${text}</body>`, 'text/xml')
    const comments = document.createNodeIterator(xml, NodeFilter.SHOW_COMMENT)
    for (let each = comments.nextNode(); each !== null; each = comments.nextNode()) each.remove()
    xml.normalize()
    return xml
  }
  return pairs.filter(([text, other]) => !bodyOf(text).isEqualNode(bodyOf(other))).map(([text]) => text)
}

Object.assign(window, { show, asXml, unequal })

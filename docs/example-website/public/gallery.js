/** Shows a picture large, above the page, and the others of its gallery. Without this script it leads to its large file. */
const dialog = document.createElement('dialog')
dialog.className = 'enlarged'
dialog.innerHTML = `<nav aria-label="Picture"><button type="button">Close</button>
  <button type="button">Previous</button> <button type="button">Next</button></nav>
  <figure aria-live="polite"><img alt=""><figcaption></figcaption></figure>`
const [close, previous, next] = dialog.querySelectorAll('button')
const [image, caption] = dialog.querySelectorAll('img, figcaption')
const large = 'a.large:has(> img)'
let links = []
let shown = 0

const showPicture = (number) => {
  shown = (number + links.length) % links.length
  const link = links[shown]
  image.src = link.href
  image.alt = link.querySelector('img').alt
  const own = link.parentElement.querySelector('figcaption')
  caption.replaceChildren(...(own === null ? [] : own.cloneNode(true).childNodes))
  dialog.setAttribute('aria-label', `Picture ${shown + 1} of ${links.length}`)
  previous.hidden = next.hidden = links.length === 1
}

for (const link of document.querySelectorAll(large))
  link.addEventListener('click', (event) => {
    // With these keys, a browser opens the picture in another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const gallery = link.closest('.gallery')
    links = gallery === null ? [link] : [...gallery.querySelectorAll(large)]
    showPicture(links.indexOf(link))
    document.body.append(dialog)
    dialog.showModal()
  })

close.addEventListener('click', () => dialog.close())
previous.addEventListener('click', () => showPicture(shown - 1))
next.addEventListener('click', () => showPicture(shown + 1))
dialog.addEventListener('keydown', ({ key }) => {
  if (key === 'ArrowLeft') showPicture(shown - 1)
  if (key === 'ArrowRight') showPicture(shown + 1)
})

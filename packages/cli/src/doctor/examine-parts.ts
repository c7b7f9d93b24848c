/** Parts that are tried: a blob is written and removed, an image is scaled, the mail server is logged in to. */
import { randomUUID } from 'node:crypto'
import { orThrow } from '@publishing-service/application'
import { tokens } from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { defaultQuality } from '@publishing-service/domain/images'
import { utcTime } from '@publishing-service/domain/time'
import { apiVersion } from '@publishing-service/http-contract'
import { fault, fine, skipped, type Finding } from './finding.js'
import type { Surroundings } from './surroundings.js'

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

const probe = Buffer.from('A probe of admin doctor, which removes it at once.')

/** Writes a blob that no file refers to, reads it and removes it. */
export const examineBlobs = async ({
  configuration,
  container,
  store,
}: Surroundings): Promise<readonly Finding[]> => {
  const { blobStore } = configuration
  if (blobStore.medium === 'memory') return [skipped('file data is in the memory of the service')]
  const isNew = await store().then(
    (found) => found.isNew,
    () => false,
  )
  if (isNew) return [skipped('the first start of the service creates it')]
  const blobs = await container.getAsync(tokens.blobs)
  const key = `doctor/${randomUUID()}`
  const place = await blobStore.place(configuration)
  try {
    const written = await blobs.write(key, once(probe), probe.length)()
    if (E.isLeft(written))
      return [
        written.left._tag === 'PortFailure'
          ? fault(
              `a probe cannot be written to ${place}: ${written.left.reason}`,
              'see its permissions and its space',
            )
          : fault(`a probe cannot be written to ${place}`, 'see its permissions and its space'),
      ]
    const read = await orThrow(blobs.size(key))
    if (read !== probe.length)
      return [
        fault(
          `a probe that was written to ${place} is not found`,
          'see whether it is the store that it seems',
        ),
      ]
  } finally {
    await orThrow(blobs.remove(key))
  }
  return [fine(`a probe was written to ${place}, found and removed`)]
}

/** 4 × 4 pixels as PNG. */
const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR4nGNQSFgARwzEcQDMQxIBsLSc1wAAAABJRU5ErkJggg==',
  'base64',
)

export const examineImaging = async ({
  configuration,
  container,
}: Surroundings): Promise<readonly Finding[]> => {
  const { IMAGING } = configuration
  const imaging = await container.getAsync(tokens.imaging)
  const scaled = await imaging.scale(
    { bytes: image.length, open: async () => E.right(once(image)) },
    { size: { width: 2, height: 2 }, region: null, format: null, quality: defaultQuality },
  )()
  return [
    E.isRight(scaled)
      ? fine(`${IMAGING} scales an image, ${imaging.parallel} at the same time`)
      : fault(
          `${IMAGING} cannot scale an image: ${scaled.left.reason}`,
          'see SCALING_MEMORY and SCALING_SECONDS',
        ),
  ]
}

/** Logs in, and sends a message only if somebody is named. */
export const examineMail = async ({ container, mailTo }: Surroundings): Promise<readonly Finding[]> => {
  const sender = await container.getAsync(tokens.mailSender)
  if (sender === null)
    return [
      mailTo === null
        ? skipped('no mail server is configured')
        : fault('no mail server is configured, so no message can be sent', 'set SMTP_URL and MAIL_FROM'),
    ]
  await orThrow(sender.check())
  if (mailTo === null) return [fine('the mail server accepts the connection and the login; nothing was sent')]
  const text = `This message was sent by admin doctor of the publishing service ${apiVersion} at ${utcTime(Date.now())}.`
  await orThrow(
    sender.send({ to: mailTo, subject: 'Test of the publishing service', text, html: `<p>${text}</p>` }),
  )
  return [fine(`a message was sent to ${mailTo}`)]
}

import type { MediaModel } from '@publishing-service/dashboard'

const element = document.querySelector('meta[name="media"]')

/** The media that the deployment accepts, from the page as the service sent it (adapter-koa/src/dashboard.ts). */
export const mediaModel: MediaModel = JSON.parse(element?.getAttribute('content') ?? '')

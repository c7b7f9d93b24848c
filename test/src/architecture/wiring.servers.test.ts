import { wiring } from './wiring.js'

wiring('wiring to servers', true)

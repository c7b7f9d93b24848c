import { wiring } from './wiring.js'

wiring('wiring', false)

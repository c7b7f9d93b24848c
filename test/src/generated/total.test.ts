/** How many requests the generated tests have sent; it stands behind them in their folder. */
import { describe, it } from 'mocha'
import { requestsOnStages } from './stage.js'

describe('the generated tests', () => {
  it('have sent requests', function () {
    if (this.test !== undefined) this.test.title = `have sent ${requestsOnStages()} requests`
  })
})

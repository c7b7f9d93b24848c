import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  monthlyDay,
  plainWeekdays,
  recurrenceEnd,
  withEnd,
  withFrequency,
  withMonthlyDay,
  withPart,
  withPlainWeekdays,
} from './recurrence.js'

describe('a recurrence rule', () => {
  it('drops the parts that its frequency excludes', () => {
    const rule = { freq: 'YEARLY', interval: 2, byday: ['MO', '2TU'], byweekno: [20], bymonthday: [1] }
    expect(withFrequency(rule, 'WEEKLY')).to.deep.equal({
      freq: 'WEEKLY',
      interval: 2,
      byday: ['MO'],
      byweekno: null,
      bymonthday: null,
    })
    expect(withFrequency(rule, 'MONTHLY')).to.deep.equal({ ...rule, freq: 'MONTHLY', byweekno: null })
    expect(withFrequency({ freq: 'MONTHLY', byday: ['-1FR'] }, 'DAILY')).to.deep.equal({
      freq: 'DAILY',
      byday: null,
    })
    expect(withFrequency({}, 'DAILY')).to.deep.equal({ freq: 'DAILY' })
  })

  it('ends after a number of occurrences or at a time, not both', () => {
    const counted = withEnd({ freq: 'DAILY' }, 'count', 3)
    expect(recurrenceEnd(counted)).to.equal('count')
    const dated = withEnd(counted, 'until', '2026-12-31T00:00:00')
    expect(dated).to.deep.equal({ freq: 'DAILY', count: null, until: '2026-12-31T00:00:00' })
    expect(recurrenceEnd(dated)).to.equal('until')
    expect(recurrenceEnd(withEnd(dated, 'never'))).to.equal('never')
  })

  it('has weekdays in the order of the week, and keeps those with a number', () => {
    const rule = withPlainWeekdays({ freq: 'MONTHLY', byday: ['-1FR', 'SU'] }, ['WE', 'MO'])
    expect(rule['byday']).to.deep.equal(['MO', 'WE', '-1FR'])
    expect(plainWeekdays(rule)).to.deep.equal(['MO', 'WE'])
    expect(withPlainWeekdays({ freq: 'WEEKLY', byday: ['MO'] }, [])['byday']).to.equal(null)
  })

  it('is on a weekday of the month', () => {
    const rule = withMonthlyDay({ freq: 'MONTHLY' }, { number: '-1', day: 'FR' })
    expect(rule['byday']).to.deep.equal(['-1FR'])
    expect(monthlyDay(rule)).to.deep.equal({ number: '-1', day: 'FR' })
    expect(monthlyDay({ freq: 'MONTHLY', byday: ['+2MO'] })).to.deep.equal({ number: '2', day: 'MO' })
    for (const byday of [null, ['MO'], ['5MO'], ['1MO', '2MO']])
      expect(monthlyDay({ freq: 'MONTHLY', byday })).to.equal(null)
    expect(withMonthlyDay(rule, null)['byday']).to.equal(null)
  })

  it('has no part that is an empty list', () => {
    expect(withPart({ freq: 'DAILY' }, 'bymonth', [])).to.deep.equal({ freq: 'DAILY', bymonth: null })
  })
})

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OBJECTION_MS, standingOf, usableSince } from './address-standing.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const holdsFrom = new Date(AT.getTime() + OBJECTION_MS);

test('[PAY-13] an address counts once its buyer has confirmed it', () => {
  assert.equal(standingOf({ confirmedAt: null, holdsFrom: null }, AT), 'unconfirmed');
  assert.equal(usableSince({ confirmedAt: null, holdsFrom: null }, AT), null);
  assert.equal(standingOf({ confirmedAt: AT, holdsFrom: null }, AT), 'confirmed');
  assert.deepEqual(usableSince({ confirmedAt: AT, holdsFrom }, AT), AT);
});

test('[OPS-25] an address entered by staff counts once the time to object is over', () => {
  const entered = { confirmedAt: null, holdsFrom };
  assert.equal(standingOf(entered, new Date(holdsFrom.getTime() - 1)), 'waiting');
  assert.equal(usableSince(entered, AT), null);
  assert.equal(standingOf(entered, holdsFrom), 'entered');
  assert.deepEqual(usableSince(entered, holdsFrom), holdsFrom);
});

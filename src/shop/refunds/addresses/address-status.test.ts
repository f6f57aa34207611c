import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OBJECTION_PERIOD_MS, getAddressStatus, findUsableSince } from './address-status.ts';

const AT = new Date('2026-03-01T12:00:00Z');
const holdsFrom = new Date(AT.getTime() + OBJECTION_PERIOD_MS);

test('[PAY-13] an address is usable once the buyer has confirmed it', () => {
  assert.equal(getAddressStatus({ confirmedAt: null, holdsFrom: null }, AT), 'unconfirmed');
  assert.equal(findUsableSince({ confirmedAt: null, holdsFrom: null }, AT), null);
  assert.equal(getAddressStatus({ confirmedAt: AT, holdsFrom: null }, AT), 'confirmed');
  assert.deepEqual(findUsableSince({ confirmedAt: AT, holdsFrom }, AT), AT);
});

test('[OPS-25] an address entered by staff is usable after the objection period', () => {
  const entered = { confirmedAt: null, holdsFrom };
  assert.equal(getAddressStatus(entered, new Date(holdsFrom.getTime() - 1)), 'waiting');
  assert.equal(findUsableSince(entered, AT), null);
  assert.equal(getAddressStatus(entered, holdsFrom), 'entered');
  assert.deepEqual(findUsableSince(entered, holdsFrom), holdsFrom);
});

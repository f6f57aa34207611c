import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseUnsent } from './unsent-message.ts';

const message = {
  userId: 'u',
  clientId: 'c',
  ticketId: 't',
  text: 'Hello',
  at: '2026-11-22T12:00:00.000Z',
  behind: null,
};

test('[TKT-03] reads an unsent message as it was stored', () => {
  assert.deepEqual(parseUnsent(JSON.stringify(message)), message);
  assert.deepEqual(parseUnsent(JSON.stringify({ ...message, behind: 'm', more: 1 })), { ...message, behind: 'm' });
});

test('[TKT-03] rejects any other text as an unsent message', () => {
  for (const name of Object.keys(message)) {
    assert.equal(parseUnsent(JSON.stringify({ ...message, [name]: 1 })), null, name);
  }
  assert.equal(parseUnsent(JSON.stringify({ ...message, at: 'soon' })), null);
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => parseUnsent(text) === null));
});

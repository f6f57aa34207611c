import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showEvents } from './show-history.ts';

const at = new Date('2026-03-01T12:00:00Z');

const createNote = (details: Readonly<Record<string, unknown>>): string | null | undefined =>
  showEvents([{ kind: 'settled', at, details, by: 'staff' }])[0]?.note;

test('[OPS-03] a note is the reason, then the details, address or transaction id', () => {
  const all = { reason: 'a gesture', words: 'sold out', address: 'bcrt1q', txid: 'ab' };
  assert.equal(createNote(all), 'a gesture');
  assert.equal(createNote({ ...all, reason: '' }), 'sold out');
  assert.equal(createNote({ txid: 'ab', address: 'bcrt1q' }), 'bcrt1q');
  assert.equal(createNote({ txid: 'ab', by: 'an id' }), 'ab');
  assert.equal(createNote({ due_sats: '5', reason: 7 }), null);
});

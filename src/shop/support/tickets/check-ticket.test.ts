import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTicket, getMessageError, normaliseText } from './check-ticket.ts';

const GOOD = { title: 'A parcel', theme: 'Delivery', description: 'Where is it?' };

test('[TKT-01] returns an error for each invalid field', () => {
  assert.deepEqual(checkTicket(GOOD), {});
  assert.deepEqual(checkTicket({ title: ' ', theme: '', description: '\r\n' }), {
    title: 'Title is required',
    theme: 'Theme is required',
    description: 'Description is required',
  });
  assert.deepEqual(checkTicket({ ...GOOD, title: 'x'.repeat(121) }), {
    title: 'Title is too long (121 of 120 characters)',
  });
  assert.deepEqual(checkTicket({ ...GOOD, description: ` ${'x'.repeat(4000)}\r\n` }), {});
});

test('[TKT-03] limits messages to 4000 characters, counting line ends once', () => {
  assert.equal(getMessageError('x'.repeat(4000)), null);
  assert.equal(getMessageError('x'.repeat(4001)), 'The message is too long (4001 of 4000 characters)');
  assert.equal(getMessageError(Array.from({ length: 2000 }, () => 'a').join('\r\n')), null);
  assert.equal(normaliseText(' \r\none\rtwo \n'), 'one\ntwo');
});

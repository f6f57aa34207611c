import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkTicket, getMessageError, normaliseText } from './check-ticket.ts';

const GOOD = { title: 'A parcel', theme: 'Delivery', description: 'Where is it?' };

test('[TKT-01] each field says what it lacks, in the words of the form', () => {
  assert.deepEqual(checkTicket(GOOD), {});
  assert.deepEqual(checkTicket({ title: ' ', theme: '', description: '\r\n' }), {
    title: 'Title is required',
    theme: 'Theme is required',
    description: 'Description is required',
  });
  assert.deepEqual(checkTicket({ ...GOOD, title: 'x'.repeat(121) }), {
    title: 'Title has 121 characters: 120 at most',
  });
  assert.deepEqual(checkTicket({ ...GOOD, description: ` ${'x'.repeat(4000)}\r\n` }), {});
});

test('[TKT-03] a message has at most 4000 characters; line ends of a form count once', () => {
  assert.equal(getMessageError('x'.repeat(4000)), null);
  assert.equal(getMessageError('x'.repeat(4001)), 'The message has 4001 characters: 4000 at most');
  assert.equal(getMessageError(Array.from({ length: 2000 }, () => 'a').join('\r\n')), null);
  assert.equal(normaliseText(' \r\none\rtwo \n'), 'one\ntwo');
});

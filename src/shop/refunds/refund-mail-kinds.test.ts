import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMailStillTrue, refundMails } from './refund-mail-kinds.ts';

type Refund = Parameters<typeof isMailStillTrue>[1];
const listTrueMails = (refund: Omit<Refund, 'orderLoss'>, orderLoss: Refund['orderLoss'] = null): string[] =>
  refundMails.filter((mail) => isMailStillTrue(mail, { ...refund, orderLoss }));
const txid = 'ab'.repeat(32);

test('[PAY-14] a refund mail is sent only while it is true', () => {
  assert.deepEqual(listTrueMails({ state: 'made', txid: null, vout: null }), ['made', 'undone']);
  assert.deepEqual(listTrueMails({ state: 'made', txid: null, vout: null }, 'refund_stopped'), ['undone']);
  assert.deepEqual(listTrueMails({ state: 'sent', txid, vout: 0 }), ['made', 'undone']);
  assert.deepEqual(listTrueMails({ state: 'confirmed', txid, vout: 0 }), ['made', 'confirmed']);
  assert.deepEqual(listTrueMails({ state: 'confirmed', txid, vout: null }), ['made', 'recorded']);
  assert.deepEqual(listTrueMails({ state: 'withdrawn', txid: null, vout: null }), ['undone']);
});

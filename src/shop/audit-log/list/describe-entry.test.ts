import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAction, describeChanges, describeValue, findSubjectPath } from './describe-entry.ts';

test('[OPS-06] actions and fields are shown in plain English', () => {
  assert.equal(describeAction('order.refund_made'), 'Order: refund made');
  assert.equal(describeAction('promotion.edited'), 'Promotion: edited');
  assert.equal(describeAction('api_key.created'), 'API key: created');
  assert.equal(describeAction('account.second-factor-reset'), 'Account: second factor reset');
});

test('[OPS-06] amounts, dates and states are shown with their units', () => {
  assert.equal(describeValue('discount_cents', '123456'), '$1,234.56');
  assert.equal(describeValue('due_sats', '12300000'), '0.123000 BTC');
  assert.equal(describeValue('discount_basis_points', 1250), '12.50%');
  assert.equal(describeValue('ends_at', '2026-05-01T09:30:00.000Z'), '2026-05-01 09:30 UTC');
  assert.equal(describeValue('is_active', false), 'No');
  assert.equal(describeValue('max_uses', null), 'None');
  assert.equal(describeValue('name', 'iPhone'), 'iPhone');
});

test('[OPS-06] a change lists each field with both values', () => {
  assert.deepEqual(describeChanges({ before: { a: 1 }, after: { a: 2, b: 'x' } }), [
    { field: 'A', before: '1', after: '2' },
    { field: 'B', before: null, after: 'x' },
  ]);
  assert.deepEqual(describeChanges({ before: null, after: { a: null, b: 0 } }), [
    { field: 'B', before: null, after: '0' },
  ]);
});

test('[OPS-06] a deleted subject has no link', () => {
  const promotion = { kind: 'promotion', id: 'p1' } as const;
  assert.equal(findSubjectPath(promotion, 'promotion.edited'), '/admin/promotions/p1');
  assert.equal(findSubjectPath(promotion, 'promotion.deleted'), null);
  assert.equal(findSubjectPath({ kind: 'settings', id: 'low-stock' }, 'settings.changed'), '/admin/inventory');
  assert.equal(findSubjectPath({ kind: 'ticket', id: 't1' }, 'ticket.closed'), '/admin/tickets/t1');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeTopics, encodeTopics, listTopicsOfCall, staffTopics } from './staff-topics.ts';

test('[OPS-18] a call that writes names what it changes', () => {
  assert.ok(listTopicsOfCall('POST /orders/{id}/ship').includes('orders'));
  assert.ok(listTopicsOfCall('POST /cart/checkout').includes('stock'));
  assert.deepEqual(listTopicsOfCall('POST /tickets/messages'), ['tickets']);
  assert.deepEqual(listTopicsOfCall('POST /support/reviews/{id}/approve'), ['reviews']);
  assert.deepEqual(listTopicsOfCall('PUT /inventory/{variant_id}'), ['stock']);
  assert.ok(listTopicsOfCall('DELETE /users/{id}').includes('reviews'));
  assert.deepEqual(listTopicsOfCall('POST /support/contact-messages/{id}/answers'), ['messages']);
  assert.deepEqual(listTopicsOfCall('PUT /support/canned-answers/{id}'), ['tickets']);
});

test('[OPS-18] a call that reads changes nothing', () => {
  for (const key of [
    'GET /support/orders',
    'POST /orders/history',
    'POST /support/promotions/preview',
    'POST /content/legal-preview',
    'POST /users/login',
    'POST /cart/add',
  ])
    assert.deepEqual(listTopicsOfCall(key), [], key);
});

test('[OPS-18] topics survive a notification; unknown ones are left out', () => {
  assert.deepEqual(decodeTopics(encodeTopics(staffTopics)), staffTopics);
  assert.ok(encodeTopics(staffTopics).every((id) => /^[0-9a-f]+$/.test(id)));
  assert.deepEqual(decodeTopics(['0', 'ff']), [staffTopics[0]]);
});

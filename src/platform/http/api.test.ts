import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRefusal } from './api.ts';

const failing = (message: string, code?: string): Error => Object.assign(new Error(message), code ? { code } : {});

test('[API-01] a lost database returns 503 with Retry-After, unknown errors 500', () => {
  const away = [
    failing('terminating connection due to administrator command', '57P01'),
    failing('the database system is starting up', '57P03'),
    failing('connect ENOENT /tmp/socket', 'ENOENT'),
    failing('Connection terminated unexpectedly'),
    failing('timeout exceeded when trying to connect'),
  ];
  for (const error of away) {
    const { status, retryAfterSeconds, body } = toRefusal(error);
    assert.equal(status, 503, error.message);
    assert.equal(retryAfterSeconds, 2);
    assert.equal(body.error.code, 'unavailable');
  }
  const unknown = toRefusal(failing('password of alice is hunter2', '42P01'));
  assert.equal(unknown.status, 500);
  assert.deepEqual(unknown.body, { error: { code: 'internal', message: 'Unknown error' } });
});

test('a full disk returns 503 with Retry-After', () => {
  const { status, retryAfterSeconds, body } = toRefusal(failing('could not extend file "base/1/2"', '53100'));
  assert.deepEqual([status, retryAfterSeconds, body.error.code], [503, 60, 'unavailable']);
});

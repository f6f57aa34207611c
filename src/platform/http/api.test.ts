import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toRefusal } from './api.ts';

const createFailure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code ? { code } : {});

test('[API-01] [OPS-24] a lost database returns 503 with Retry-After, unknown errors 500', () => {
  const away = [
    createFailure('terminating connection due to administrator command', '57P01'),
    createFailure('the database system is starting up', '57P03'),
    createFailure('connect ENOENT /tmp/socket', 'ENOENT'),
    createFailure('Connection terminated unexpectedly'),
    createFailure('timeout exceeded when trying to connect'),
    createFailure('timeout expired'),
    createFailure('Query read timeout'),
    createFailure('Client was closed and is not queryable'),
    createFailure('cannot execute INSERT in a read-only transaction', '25006'),
    ...['57P02', '08006', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'].map(
      (code) => createFailure('the connection failed', code),
    ),
  ];
  for (const error of away) {
    const { status, retryAfterSeconds, body } = toRefusal(error);
    assert.equal(status, 503, error.message);
    assert.equal(retryAfterSeconds, 2);
    assert.equal(body.error.code, 'unavailable');
  }
  const unknown = toRefusal(createFailure('password of alice is hunter2', '42P01'));
  assert.equal(unknown.status, 500);
  assert.deepEqual(unknown.body, { error: { code: 'internal', message: 'Unknown error' } });
});

test('a full disk returns 503 with Retry-After', () => {
  const { status, retryAfterSeconds, body } = toRefusal(createFailure('could not extend file "base/1/2"', '53100'));
  assert.deepEqual([status, retryAfterSeconds, body.error.code], [503, 60, 'unavailable']);
});

test('a statement that took too long returns 503 with Retry-After', () => {
  const { status, retryAfterSeconds, body } = toRefusal(
    createFailure('canceling statement due to statement timeout', '57014'),
  );
  assert.deepEqual([status, retryAfterSeconds, body.error.code], [503, 5, 'unavailable']);
});

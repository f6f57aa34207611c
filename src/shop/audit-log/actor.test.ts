import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toStaffActor } from './service.ts';

test('[OPS-06] an entry keeps at most 512 characters of the user agent', () => {
  const identity = { userId: '0198b000-0000-7000-8000-00000000000a', username: 'staff' };
  const actor = toStaffActor({ identity, ip: '192.0.2.1', userAgent: 'x'.repeat(9_000) });
  assert.equal(actor.userAgent?.length, 512);
});

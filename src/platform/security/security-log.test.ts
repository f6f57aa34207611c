import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SecurityLog } from './security-log.ts';
import type { SecurityEvent } from './security-log.ts';

interface Line {
  readonly level: 'info' | 'warn';
  readonly fields: Readonly<Record<string, unknown>>;
}

function openLog() {
  const lines: Line[] = [];
  const clock = { now: 0 };
  const add =
    (level: Line['level']) =>
    (fields: object): void =>
      void lines.push({ level, fields: { ...fields } });
  const log = { debug: () => {}, info: add('info'), warn: add('warn'), error: () => {} };
  return { lines, clock, security: new SecurityLog(log, () => clock.now) };
}
const event: SecurityEvent = {
  kind: 'login_failed',
  userId: 'u1',
  client: '192.0.2.1',
  requestId: 'r1',
  call: 'POST /users/login',
  result: 'invalid-credentials',
};

test('[OPS-26] a security event is one line with its fields', () => {
  const { lines, security } = openLog();
  security.record(event);
  security.record({ ...event, kind: 'staff_money_action', targetId: 'o1', result: 'ok' });
  assert.deepEqual(lines[0], {
    level: 'warn',
    fields: {
      security_event: 'login_failed',
      user_id: 'u1',
      client: '192.0.2.1',
      request_id: 'r1',
      call: 'POST /users/login',
      result: 'invalid-credentials',
    },
  });
  assert.equal(lines[1]?.level, 'info');
  assert.equal(lines[1]?.fields['target_id'], 'o1');
});

test('[OPS-26] 10,000 failures of one client fill 120 lines a minute', () => {
  const { lines, clock, security } = openLog();
  for (let count = 0; count < 10_000; count += 1) security.record(event);
  assert.equal(lines.length, 120);
  security.record({ ...event, client: '192.0.2.2' });
  assert.equal(lines.length, 121, 'another client has lines of its own');
  clock.now = 60_000;
  security.record(event);
  assert.equal(lines.at(-1)?.fields['suppressed'], 9880);
});

test('[OPS-26] repeated readings by staff are one line in 15 minutes', () => {
  const { lines, clock, security } = openLog();
  const reading: SecurityEvent = { ...event, kind: 'staff_read', targetId: 'o1', result: 'ok' };
  for (let minute = 0; minute < 15; minute += 1) {
    clock.now = minute * 60_000;
    security.record(reading);
  }
  assert.equal(lines.length, 1);
  security.record({ ...reading, targetId: 'o2' });
  clock.now = 15 * 60_000;
  security.record(reading);
  assert.equal(lines.length, 3);
});

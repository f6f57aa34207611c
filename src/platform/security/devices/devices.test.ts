import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { Devices, openDevices } from './devices.ts';

const devices = new Devices(randomBytes(32));

test('[OPS-26] a device is known for the accounts that its cookie was issued for', () => {
  const cookie = devices.issueCookie(null, ['account:a', 'address:a']);
  const id = devices.findDeviceId(cookie, 'account:a');
  assert.notEqual(id, null);
  assert.equal(devices.findDeviceId(cookie, 'address:a'), id);
  for (const subject of ['account:b', 'account:', 'a']) assert.equal(devices.findDeviceId(cookie, subject), null);
  assert.equal(devices.findDeviceId(null, 'account:a'), null);
});

test('[OPS-26] a forged or changed device cookie is not known', () => {
  const cookie = devices.issueCookie(null, ['account:a']);
  const [id = '', signature = ''] = cookie.split('.');
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  const other = new Devices(randomBytes(32)).issueCookie(null, ['account:a']);
  for (const forged of [
    `${id}.${flipped}`,
    `${id}.`,
    id,
    other,
    `${other.split('.')[0]}.${signature}`,
    '~',
    'x'.repeat(5000),
  ])
    assert.equal(devices.findDeviceId(forged, 'account:a'), null, forged);
});

test('a device keeps its id and holds at most five accounts', () => {
  let cookie = devices.issueCookie(null, ['account:0', 'address:0']);
  const first = devices.findDeviceId(cookie, 'account:0');
  cookie = devices.issueCookie(cookie, ['account:0', 'address:0']);
  assert.equal(devices.findDeviceId(cookie, 'account:0'), first);
  assert.equal(cookie.split('~').length, 2);
  for (let account = 1; account <= 5; account += 1)
    cookie = devices.issueCookie(cookie, [`account:${account}`, `address:${account}`]);
  assert.equal(cookie.split('~').length, 10);
  assert.ok(cookie.length < 1000);
  assert.equal(devices.findDeviceId(cookie, 'account:0'), null);
  for (let account = 1; account <= 5; account += 1)
    assert.notEqual(devices.findDeviceId(cookie, `account:${account}`), null);
});

test('processes on one database share their devices', async () => {
  const { db } = await createTestDatabase();
  const [one, other] = await Promise.all([openDevices(db), openDevices(db)]);
  assert.notEqual(other.findDeviceId(one.issueCookie(null, ['account:a']), 'account:a'), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentFailures } from './recent-failures.ts';

test('[OPS-26] a client is suspect after three wrong passwords, until a correct one', () => {
  const failures = new RecentFailures();
  for (let guess = 0; guess < 2; guess += 1) failures.record('client', false);
  assert.equal(failures.isSuspect('client'), false);
  failures.record('client', false);
  assert.deepEqual([failures.isSuspect('client'), failures.isSuspect('other')], [true, false]);
  failures.record('client', true);
  assert.equal(failures.isSuspect('client'), false);
});

test('[OPS-26] a client is no longer suspect after ten minutes', () => {
  let now = 0;
  const failures = new RecentFailures(() => now);
  for (let guess = 0; guess < 3; guess += 1) failures.record('client', false);
  now = 10 * 60_000 - 1;
  assert.equal(failures.isSuspect('client'), true);
  now += 1;
  assert.equal(failures.isSuspect('client'), false);
});

test('[OPS-26] failures of the oldest of ten thousand clients are forgotten', () => {
  const failures = new RecentFailures();
  for (let guess = 0; guess < 3; guess += 1) failures.record('oldest', false);
  for (let client = 0; client < 10_000; client += 1) failures.record(`client ${client}`, false);
  assert.equal(failures.isSuspect('oldest'), false);
});

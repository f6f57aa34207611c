import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { RateLimits } from '#src/platform/http/rate-limits.ts';
import { countGuess, resetGuesses, restoreGuess } from './password-guesses.ts';

/** Counts without a clock: `passMinute` and `passHour` begin new windows. */
function createLimits() {
  const counts = new Map<string, { points: number; readonly seconds: number }>();
  const limits: RateLimits = {
    consume: (name, { points, seconds }, key) => {
      const counted = counts.get(`${name}:${key}`) ?? { points: 0, seconds };
      counts.set(`${name}:${key}`, counted);
      counted.points += 1;
      return Promise.resolve(counted.points <= points ? { ok: true } : { ok: false, retryAfterSeconds: seconds });
    },
    reset: (name, _limit, key) => Promise.resolve(void counts.delete(`${name}:${key}`)),
    restore: (name, _limit, key) => {
      const counted = counts.get(`${name}:${key}`);
      if (counted) counted.points -= 1;
      return Promise.resolve();
    },
  };
  const pass = (most: number): void => {
    for (const [key, { seconds }] of counts) if (seconds <= most) counts.delete(key);
  };
  return { limits, passMinute: () => pass(60), passHour: () => pass(3600) };
}

const ACCOUNT = 'user:one';
const guessFrom = async (limits: RateLimits, ip: string, device: string | null = null): Promise<boolean> =>
  (await countGuess(limits, { account: ACCOUNT, device, ip })).ok;

test('[OPS-26] one address can guess 65 passwords of an account in an hour', async () => {
  const { limits, passMinute, passHour } = createLimits();
  const guessForAnHour = async (): Promise<number> => {
    let accepted = 0;
    for (let minute = 0; minute < 60; minute += 1) {
      for (let guess = 0; guess < 20; guess += 1) accepted += Number(await guessFrom(limits, '192.0.2.1'));
      passMinute();
    }
    return accepted;
  };
  assert.equal(await guessForAnHour(), 65);
  passHour();
  assert.equal(await guessForAnHour(), 60, 'its first five were used');
});

test('[OPS-26] new addresses have five guesses each, below 300 an hour in all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 39 }), { maxLength: 400 }), async (sites) => {
      const { limits, passMinute } = createLimits();
      let accepted = 0;
      for (const site of sites) {
        accepted += Number(await guessFrom(limits, `192.0.2.${site}`));
        passMinute();
      }
      assert.ok(accepted <= 60 + 5 * new Set(sites).size, String(accepted));
      for (let guess = 0; guess < 5; guess += 1) assert.equal(await guessFrom(limits, '198.51.100.1'), true);
    }),
    { numRuns: 30 },
  );
  const { limits } = createLimits();
  let accepted = 0;
  for (let site = 0; site < 200; site += 1) {
    for (let guess = 0; guess < 5; guess += 1) accepted += Number(await guessFrom(limits, `192.0.2.${site}`));
  }
  assert.equal(accepted, 300);
});

test('[OPS-26] the networks of an IPv6 /48 share their first five guesses', async () => {
  const { limits } = createLimits();
  let accepted = 0;
  for (let network = 0; network < 200; network += 1) {
    accepted += Number(await guessFrom(limits, `2001:db8:1:${network.toString(16)}::/64`));
  }
  assert.equal(accepted, 65);
  assert.equal(await guessFrom(limits, '2001:db8:2:1::/64'), true);
});

test('[OPS-26] a known device has 60 guesses an hour, apart from unknown ones', async () => {
  const { limits, passMinute } = createLimits();
  const accepted = { known: 0, unknown: 0 };
  for (let minute = 0; minute < 60; minute += 1) {
    for (let guess = 0; guess < 6; guess += 1) {
      accepted.known += Number(await guessFrom(limits, '192.0.2.1', 'device'));
      accepted.unknown += Number(await guessFrom(limits, '192.0.2.1'));
    }
    passMinute();
  }
  assert.deepEqual(accepted, { known: 60, unknown: 65 });
});

test('[OPS-26] a correct password resets the device only', async () => {
  const { limits } = createLimits();
  for (let guess = 0; guess < 5; guess += 1) assert.equal(await guessFrom(limits, '192.0.2.1'), true);
  assert.equal(await guessFrom(limits, '192.0.2.1'), false);
  const right = await countGuess(limits, { account: ACCOUNT, device: null, ip: '192.0.2.2' });
  assert.ok(right.ok);
  await resetGuesses(limits, right);
  assert.equal(await guessFrom(limits, '192.0.2.1'), false);
  for (let guess = 0; guess < 5; guess += 1) assert.equal(await guessFrom(limits, '192.0.2.2'), true);
});

test('[OPS-26] a guess that was not checked does not count', async () => {
  const { limits } = createLimits();
  for (let guess = 0; guess < 100; guess += 1) {
    const counted = await countGuess(limits, { account: ACCOUNT, device: null, ip: '192.0.2.1' });
    assert.ok(counted.ok);
    await restoreGuess(limits, counted);
  }
});

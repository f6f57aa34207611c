import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playParts } from './play-parts.ts';
import type { Outcome, Part } from './play-parts.ts';

const PARTS = [1, 2, 3].map((seed) => ({ seed, count: 1 }));
const PLAYED: Outcome = { isPlayed: true, faults: [] };
const NOT_READY: Outcome = { isPlayed: false, reason: 'the shop was not ready' };

/** @param outcomes of the parts by seed, one for each attempt; afterwards a part is played without a fault */
async function run(outcomes: Readonly<Record<number, readonly Outcome[]>>) {
  const attempts: number[] = [];
  const played: number[] = [];
  const faults: string[] = [];
  let [present, most] = [0, 0];
  const play = async ({ seed }: Part): Promise<Outcome> => {
    const before = attempts.filter((one) => one === seed).length;
    attempts.push(seed);
    present += 1;
    if (before > 0) most = Math.max(most, present);
    await Promise.resolve();
    present -= 1;
    return outcomes[seed]?.[before] ?? PLAYED;
  };
  const notPlayed = await playParts(PARTS, {
    lanes: 2,
    play,
    onPlayed: (part, found) => {
      played.push(part.seed);
      faults.push(...found);
    },
  });
  return { attempts, played, faults, notPlayed, mostBesideRepeats: most };
}

test('a part without a named history is played again alone', async () => {
  const { attempts, faults, mostBesideRepeats, notPlayed, played } = await run({ 1: [NOT_READY, NOT_READY] });
  assert.deepEqual([faults, notPlayed], [[], []]);
  assert.deepEqual(new Set(played), new Set([1, 2, 3]));
  assert.deepEqual(attempts.slice(-2), [1, 1], 'after the others');
  assert.equal(mostBesideRepeats, 1);
});

test('a part that fails three times counts as not played', async () => {
  const { attempts, faults, notPlayed, played } = await run({ 2: [NOT_READY, NOT_READY, NOT_READY, PLAYED] });
  assert.equal(attempts.filter((seed) => seed === 2).length, 3);
  assert.deepEqual([faults, new Set(played)], [[], new Set([1, 3])]);
  assert.deepEqual(notPlayed, [{ part: { seed: 2, count: 1 }, reason: 'the shop was not ready' }]);
});

test('a fault of a named history counts at once', async () => {
  const fault = { isPlayed: true, faults: ['--seed 3: a unit is shipped twice'] } as const;
  const { attempts, faults, played } = await run({ 3: [fault] });
  assert.deepEqual(faults, fault.faults);
  assert.deepEqual([attempts.length, new Set(played)], [3, new Set([1, 2, 3])]);
});

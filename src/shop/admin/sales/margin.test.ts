import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#src/shop/money.ts';
import { showMargin, subtractCosted } from './margin.ts';

const of = (units: number, goods: bigint, cost: bigint) => ({ units, goods: cents(goods), cost: cents(cost) });

test('[OPS-05] a margin is negative if goods brought less than they cost', () => {
  assert.equal(showMargin(of(1, 100n, 150n))?.margin_usd, -50n);
  assert.equal(showMargin(null), null);
});

test('[OPS-05] what is left of a whole is null if no unit is left', () => {
  const whole = of(5, 500n, 300n);
  assert.deepEqual(subtractCosted(whole, [of(2, 200n, 100n), null]), of(3, 300n, 200n));
  assert.equal(subtractCosted(whole, [whole]), null);
  assert.equal(subtractCosted(null, []), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, centsPerBtc, convertCentsToSats } from '#src/shop/money.ts';
import type { Cents } from '#src/shop/money.ts';
import { btc, usd } from '#src/shop/codecs.ts';
import { computeDisplayPrice } from './display-price.ts';
import { computeUnitPriceCents, computeUnitPriceSats } from './unit-price.ts';

test('[PROD-03] adds the increases to the base price in both currencies', () => {
  assert.deepEqual(computeDisplayPrice({ btc: 0.009901, usd: 1099 }, [{ btc: 0.001802, usd: 200 }]), {
    btc: 0.011703,
    usd: 1299,
  });
  assert.deepEqual(computeDisplayPrice({ btc: 0.009901, usd: 1099 }, []), { btc: 0.009901, usd: 1099 });
});

test('[PROD-03] adds amounts as integers without float errors', () => {
  assert.notEqual(0.1 + 0.2, 0.3);
  assert.deepEqual(computeDisplayPrice({ btc: 0.1, usd: 0.1 }, [{ btc: 0.2, usd: 0.2 }]), { btc: 0.3, usd: 0.3 });
  assert.equal(computeDisplayPrice({ btc: 0, usd: 999.99 }, [{ btc: 0, usd: 0.01 }]).usd, 1000);
});

test('[PROD-03] has no bitcoin price without a rate', () => {
  assert.equal(computeDisplayPrice({ btc: 0, usd: 999 }, [{ btc: 0, usd: 100 }]).btc, 0);
});

test('[PROD-03] [PAY-06] equals the cart price at any rate', () => {
  const amount = fc.bigInt({ min: 0n, max: 10_000_000n }).map(cents);
  const anyRate = fc.bigInt({ min: 1_000_000n, max: 100_000_000n }).map(centsPerBtc);
  fc.assert(
    fc.property(amount, fc.array(amount, { maxLength: 6 }), anyRate, (base, increases, rate) => {
      const onTheWire = (part: Cents) => ({ btc: btc.encode(convertCentsToSats(part, rate)), usd: usd.encode(part) });
      const chosen = increases.map((increaseCents) => ({ increaseCents }));
      assert.deepEqual(computeDisplayPrice(onTheWire(base), increases.map(onTheWire)), {
        btc: btc.encode(computeUnitPriceSats(base, chosen, rate)),
        usd: usd.encode(computeUnitPriceCents(base, chosen)),
      });
    }),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreeShippingTexts, listPricedZones } from './free-shipping-texts.ts';

const isFound = (text: string): boolean =>
  findFreeShippingTexts([{ name: 'Home page', to: '/', content: { cards: [{ title: 'A', text }] } }]).length === 1;

test('[OPS-15] finds texts that promise free shipping', () => {
  for (const promise of [
    'Free shipping worldwide',
    'Enjoy FREE express delivery.',
    'Every order ships free.',
    'Shipping is free',
    'We deliver to Europe for free',
    'No shipping costs',
  ])
    assert.ok(isFound(promise), promise);
});

test('[OPS-15] leaves other texts alone', () => {
  for (const text of [
    'Fast delivery',
    'Return within 14 days with a free label',
    'Shipping from $5',
    'Hassle-free!',
    '',
  ])
    assert.ok(!isFound(text), text);
});

test('[OPS-15] a zone has a price if one of its tiers has', () => {
  const zones = [
    { name: 'Home', tiers: [{ price_usd: 0 }] },
    { name: 'World', tiers: [{ price_usd: 9 }, { price_usd: 0 }] },
  ];
  assert.deepEqual(listPricedZones(zones), ['World']);
});

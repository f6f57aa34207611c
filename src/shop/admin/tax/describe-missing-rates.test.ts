import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeMissingRates } from './describe-missing-rates.ts';
import { EMPTY_COUNTRY } from './tax-form.ts';

const describe = (home_country: string, ...countries: readonly string[]): string =>
  describeMissingRates({ home_country, rates: countries.map((country) => ({ ...EMPTY_COUNTRY, country })) });

test('[OPS-15] says what countries without a rate are taxed', () => {
  assert.equal(describe('DE'), 'Without rates nothing is taxed.');
  assert.match(describe('', 'DE'), /Choose the country of the shop/);
  assert.equal(describe('US', 'US'), 'Countries without a rate are not taxed.');
  assert.match(describe('DE', 'FR'), /^Add the rates of Germany\./);
  assert.match(describe('DE', 'DE'), /^EU countries without a rate here have the rates of Germany\./);
});

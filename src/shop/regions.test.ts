import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listCountries, findCountryName, regionNames, findRegion } from './regions.ts';

const everyCountry = regionNames.flatMap((region) => listCountries(region).map((country) => ({ region, ...country })));

test('[BILL-02] the regions are the seven of the form', () => {
  assert.deepEqual(
    [...regionNames],
    ['Europe', 'North America', 'South America', 'Asia', 'Africa', 'Oceania', 'Middle East'],
  );
});

test('[BILL-02] each of the 249 ISO 3166-1 countries has exactly one region', () => {
  assert.equal(everyCountry.length, 249);
  assert.equal(new Set(everyCountry.map(({ code }) => code)).size, 249);
  assert.equal(new Set(everyCountry.map(({ name }) => name)).size, 249);
  for (const { region, code, name } of everyCountry) {
    assert.match(code, /^[A-Z]{2}$/);
    assert.equal(findRegion(code), region);
    assert.equal(findCountryName(code), name);
  }
});

test('[BILL-02] Intl has a name for every country code', () => {
  const known = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  for (const { code } of everyCountry) assert.notEqual(known.of(code), undefined, code);
});

test('[BILL-02] orders countries by name', () => {
  for (const region of regionNames) {
    const names = listCountries(region).map(({ name }) => name);
    assert.deepEqual(names, [...names].toSorted(new Intl.Collator('en').compare), region);
  }
  assert.equal(findRegion('GB'), 'Europe');
  assert.equal(findRegion('US'), 'North America');
  assert.equal(findRegion('BR'), 'South America');
  assert.equal(findRegion('IN'), 'Asia');
  assert.equal(findRegion('EG'), 'Africa');
  assert.equal(findRegion('NZ'), 'Oceania');
  assert.equal(findRegion('AE'), 'Middle East');
});

test('[BILL-02] an unknown code has no region', () => {
  for (const code of ['', 'gb', 'XX', 'UK', 'GBR', '__proto__', 'constructor'])
    assert.equal(findRegion(code), undefined);
});

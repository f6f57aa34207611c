import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EU_COUNTRIES, findVatPrefix, isEuCountry, normaliseVatNumber } from './vat-number.ts';

const VALID: Readonly<Record<string, string>> = {
  AT: 'ATU12345678',
  BE: 'BE0123456789',
  BG: 'BG123456789',
  CY: 'CY12345678X',
  CZ: 'CZ12345678',
  DE: 'DE123456789',
  DK: 'DK12345678',
  EE: 'EE123456789',
  ES: 'ESX1234567R',
  FI: 'FI12345678',
  FR: 'FR83404833048',
  GR: 'EL123456789',
  HR: 'HR12345678901',
  HU: 'HU12345678',
  IE: 'IE1234567WA',
  IT: 'IT12345678901',
  LT: 'LT123456789012',
  LU: 'LU12345678',
  LV: 'LV12345678901',
  MT: 'MT12345678',
  NL: 'NL123456789B01',
  PL: 'PL1234567890',
  PT: 'PT123456789',
  RO: 'RO12',
  SE: 'SE123456789012',
  SI: 'SI12345678',
  SK: 'SK1234567890',
};

test('[OPS-15] knows the form of VAT numbers of all 27 member states', () => {
  assert.equal(EU_COUNTRIES.length, 27);
  for (const country of EU_COUNTRIES) {
    const number = VALID[country] ?? '';
    assert.equal(normaliseVatNumber(number, country), number, country);
    assert.equal(normaliseVatNumber(`${number}Q99999999`, country), null, country);
    assert.equal(normaliseVatNumber(number.slice(2), country), null, country);
    assert.ok(number.startsWith(findVatPrefix(country) ?? '?'));
  }
});

test('[OPS-15] accepts a VAT number in any spelling and of its country only', () => {
  assert.equal(normaliseVatNumber(' de 123.456-789 ', 'DE'), 'DE123456789');
  assert.equal(normaliseVatNumber('DE123456789', 'AT'), null);
  assert.equal(normaliseVatNumber('GB123456789', 'GB'), null);
  assert.equal(normaliseVatNumber('', 'DE'), null);
  assert.equal(isEuCountry('constructor'), false);
  assert.equal(normaliseVatNumber('XX', 'constructor'), null);
});

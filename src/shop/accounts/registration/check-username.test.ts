import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { checkUsername, computeSkeleton, normaliseUsername } from './check-username.ts';

const check = (name: string) => checkUsername(name, ['Bernie', 'owner'], 'Crypto Market');
const SIGNS = 'may contain letters, digits, spaces and . _ - and must start with a letter or digit';

test('[OPS-26] accepts names of letters, digits, spaces, dots, dashes and underscores', () => {
  for (const name of [
    'alice',
    'Customer 1',
    'j.smith',
    'José',
    'Jose\u0301',
    'O_Neil-2',
    '山田 Taro',
    'Дмитрий',
    'محمد',
    'हिन्दी',
    '7',
  ])
    assert.equal(check(name), null, name);
});

test('[OPS-26] refuses other signs, bidi controls and invisible characters', () => {
  for (const name of [
    'a@b.de',
    '<b>',
    'a/b',
    'a:b',
    'a\u202eb',
    'a\u2066b',
    'al\u200bice',
    'a\nb\u0000',
    '',
    '._',
    '💰',
    'e\u0301\u0301\u0301\u0301',
  ])
    assert.equal(check(name), SIGNS, JSON.stringify(name));
});

test('[OPS-26] refuses a web address in a name', () => {
  for (const name of [
    'WIN at evil.com',
    'www evil',
    'evil.xyz',
    'http evil',
    'shop.de',
    'a.evil.top now',
    'ｅｖｉｌ．ｃｏｍ',
  ])
    assert.equal(check(name), 'must not contain a web address', name);
});

test('[OPS-26] refuses names that look like a staff member or the shop', () => {
  for (const name of [
    'bernie',
    'Bern1e',
    'bemie',
    'B.e.r.n.i.e',
    'вегпіе',
    '0wner',
    'Staff',
    'Shop Support',
    'admin-2',
    'Crypto Market',
    'crypt0market team',
  ])
    assert.equal(check(name), 'is not available', name);
  for (const name of ['berna', 'owners', 'stafford', 'supporter']) assert.equal(check(name), null, name);
});

test('[OPS-26] refuses letters of different alphabets in one name', () => {
  for (const name of ['pаypal', 'αlice', 'Дmitry']) assert.equal(check(name), 'must not mix alphabets', name);
});

test('[OPS-26] treats a name like its normalised form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (name) => {
      assert.equal(check(name), check(normaliseUsername(name)));
      assert.equal(computeSkeleton(normaliseUsername(name)), computeSkeleton(name));
    }),
  );
});

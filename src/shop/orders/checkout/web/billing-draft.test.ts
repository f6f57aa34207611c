import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFirstDraft, EMPTY_DRAFT, followChange, isFilled, readTyped, toBilling } from './billing-draft.ts';

const LAST = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  region: 'Europe',
  country: 'GB',
  streetAddress: 'Elm Street',
  houseNumber: '45',
  city: 'London',
  postcode: 'W8 4QG',
  phone: '+44 20 7946 0000',
  note: 'Ring twice',
} as const;

test('[BILL-01] requires every field but phone and note', () => {
  const draft = createFirstDraft(LAST, null);
  assert.ok(toBilling(draft));
  for (const name of Object.keys(LAST).filter((one): one is keyof typeof LAST => Object.hasOwn(LAST, one))) {
    const emptied = { ...draft, [name]: '  ' };
    const isOptional = name === 'phone' || name === 'note';
    assert.equal(isFilled(name, emptied), isOptional, name);
    assert.equal(toBilling(emptied) !== null, isOptional, name);
  }
});

test('[BILL-02] ignores a country of another region', () => {
  assert.equal(toBilling({ ...createFirstDraft(LAST, null), region: 'Oceania' }), null);
});

test('[BILL-04] offers the last details without their note', () => {
  const { note: _, ...offered } = LAST;
  assert.deepEqual(toBilling(createFirstDraft(LAST, null)), offered);
});

test('[BILL-04] [LAY-02] prefers the chosen country to the last address', () => {
  const draft = createFirstDraft(LAST, { region: 'Oceania', country: 'NZ' });
  assert.deepEqual([draft.firstName, draft.phone, draft.region, draft.country], ['Ada', LAST.phone, 'Oceania', 'NZ']);
  assert.equal(draft.streetAddress, '');
  assert.equal(createFirstDraft(LAST, { region: 'Europe', country: 'GB' }).city, 'London');
  assert.equal(createFirstDraft(null, { region: 'Oceania', country: 'NZ' }).country, 'NZ');
  assert.equal(createFirstDraft(null, null).region, '');
});

const ofLast = createFirstDraft(LAST, null);

test('[BILL-02] the region follows from the country', () => {
  assert.deepEqual(followChange(EMPTY_DRAFT, 'country', 'NZ'), { country: 'NZ', region: 'Oceania' });
  assert.deepEqual(followChange(ofLast, 'region', 'Asia'), { region: 'Asia', country: '' });
  assert.deepEqual(followChange(ofLast, 'city', 'Leeds'), { city: 'Leeds' });
});

test('[BILL-06] the postcode is a hyphen where there are none', () => {
  const inHongKong = { ...ofLast, ...followChange(ofLast, 'country', 'HK') };
  assert.deepEqual([inHongKong.region, inHongKong.postcode], ['Asia', '-']);
  assert.ok(toBilling(inHongKong));
  assert.equal({ ...inHongKong, ...followChange(inHongKong, 'country', 'DE') }.postcode, '');
  assert.equal({ ...inHongKong, ...followChange(inHongKong, 'region', 'Europe') }.postcode, '');
  assert.equal(createFirstDraft(null, { region: 'Middle East', country: 'AE' }).postcode, '-');
});

test('[BILL-06] the postcode fits the country, and the phone is a number', () => {
  assert.equal(isFilled('postcode', { ...ofLast, country: 'DE' }), false);
  assert.equal(toBilling({ ...ofLast, postcode: '-' }), null);
  assert.equal(toBilling({ ...ofLast, phone: 'abc' }), null);
  assert.ok(toBilling({ ...ofLast, phone: ' ', houseNumber: '-' }));
});

test('[LAY-18] a text that is too long is invalid, and stays to be shortened', () => {
  const city = 'x'.repeat(101);
  assert.equal(isFilled('city', { ...ofLast, city }), false);
  assert.deepEqual(readTyped(JSON.stringify({ city })), { city });
});

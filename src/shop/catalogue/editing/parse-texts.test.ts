import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEnergyLabel, parseSafety } from './parse-texts.ts';

const LABEL = {
  class: 'B',
  supplier: 'Acme',
  model: '',
  endurance_minutes: 3200,
  endurance_cycles: 1000,
  fall_class: 'C',
  repair_class: 'D',
  ip_rating: 'IP68',
  eprel_number: '2217001',
  sheet_url: 'https://acme.example/sheet.pdf',
};

test('[PROD-09] an energy label in a file is complete, or refused', () => {
  assert.deepEqual(parseEnergyLabel(JSON.stringify(LABEL)), { ok: true, value: LABEL });
  const { supplier: _supplier, model: _model, eprel_number: _number, sheet_url: _sheet, ...required } = LABEL;
  const least = { ...LABEL, supplier: '', model: '', eprel_number: '', sheet_url: '' };
  assert.deepEqual(parseEnergyLabel(JSON.stringify(required)), { ok: true, value: least });
  for (const name of Object.keys(required)) {
    assert.equal(parseEnergyLabel(JSON.stringify({ ...LABEL, [name]: undefined })).ok, false, name);
  }
  const bad = [
    { class: 'H' },
    { endurance_minutes: 0 },
    { endurance_cycles: 1.5 },
    { fall_class: 'F' },
    { ip_rating: '68' },
    { eprel_number: 'x' },
    { sheet_url: 'http://acme.example' },
    { model: 'x'.repeat(61) },
  ];
  for (const change of bad) {
    assert.equal(parseEnergyLabel(JSON.stringify({ ...LABEL, ...change })).ok, false, JSON.stringify(change));
  }
  for (const text of ['B', '[]', '{']) assert.equal(parseEnergyLabel(text).ok, false, text);
});

test('[PROD-10] safety information in a file has known names and lengths', () => {
  const parsed = parseSafety('{"manufacturer": " Acme "}');
  assert.equal(parsed.ok && parsed.value?.manufacturer, 'Acme');
  assert.deepEqual(parseSafety('{"warnings": " "}'), { ok: true, value: null });
  for (const text of [
    'Hot',
    '[]',
    '{"maker": "Acme"}',
    '{"warnings": 1}',
    JSON.stringify({ warnings: 'x'.repeat(4001) }),
  ]) {
    assert.equal(parseSafety(text).ok, false, text);
  }
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findLooseTexts } from './support/find-loose-texts.ts';

test('[LAY-17] text that comes and goes has an element of its own', () => {
  assert.deepEqual(
    globSync('src/**/*.tsx').flatMap((file) => findLooseTexts(file, readFileSync(file, 'utf8'))),
    [],
  );
});

const FAULTS = [
  "<p>Saved{isNew && ' today'}</p>",
  '<p>Saved {isNew ? <b>today</b> : `on ${day}`}.</p>',
  '<p>Saved {isNew && <>on {day}, <b>today</b></>}</p>',
  '<p>{isNew && <b>New:</b>} saved</p>',
  '<p>{days.map((day) => <b>{day}</b>)} saved</p>',
  '<select><option>Europe</option></select>',
];
const ALLOWED = [
  '<p>{isNew ? "Saved" : <b>Failed</b>}</p>',
  '<p>Saved{isNew && <span> today</span>}</p>',
  '<p>Saved {day}</p>',
  '<p>{isNew && <b>New:</b>} <span>saved</span></p>',
  '<select><option value="Europe">Europe</option></select>',
];

for (const jsx of [...FAULTS, ...ALLOWED]) {
  test(`${FAULTS.includes(jsx) ? 'refuses' : 'allows'} ${jsx}`, () => {
    assert.equal(findLooseTexts('page.tsx', `const page = ${jsx};`).length, FAULTS.includes(jsx) ? 1 : 0);
  });
}

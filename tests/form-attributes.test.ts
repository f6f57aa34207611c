import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findFormFaults } from './support/find-form-faults.ts';

test('[LAY-18] [BILL-04] no field drops typed text, and browsers can fill it in', () => {
  assert.deepEqual(
    globSync('src/**/*.tsx').flatMap((file) => findFormFaults(file, readFileSync(file, 'utf8'))),
    [],
  );
});

const find = (jsx: string) => findFormFaults('page.tsx', `const page = ${jsx};`).length;

test('[LAY-18] finds fields that drop text or have unknown names', () => {
  assert.equal(find('<input maxLength={2} />'), 1);
  assert.equal(find('<textarea maxLength={LIMIT} {...rest} />'), 1);
  assert.equal(find('<Field autoComplete="house-number" />'), 1);
  assert.equal(find('<Field maxLength={2} autoComplete="postal-code" />'), 0);
});

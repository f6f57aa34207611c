import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSync } from 'vite';
import { layers } from './fault.ts';
import { applyFault, faultsByLayer } from './faults.ts';

const faults = layers.flatMap((layer) => faultsByLayer[layer]);

test('every fault applies to the present source, whose syntax it keeps', () => {
  const unusable = faults.flatMap((fault) => {
    try {
      const { errors } = parseSync(fault.file, applyFault(readFileSync(fault.file, 'utf8'), fault));
      return errors.map(({ message }) => `${fault.id}: ${message}`);
    } catch (error) {
      return [String(error)];
    }
  });
  assert.deepEqual(unusable, []);
});

test('twelve faults of each layer have different names', () => {
  for (const layer of layers) assert.equal(faultsByLayer[layer].length, 12, layer);
  assert.equal(new Set(faults.map(({ id }) => id)).size, faults.length);
});

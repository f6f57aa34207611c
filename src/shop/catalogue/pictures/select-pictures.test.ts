import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectPictures } from './select-pictures.ts';

test('[PROD-02] selects the pictures of the chosen colour', () => {
  const own = ['/back.avif', '/front.avif'];
  const ofValues = { blue: ['/blue/back.avif'], red: [] };
  assert.deepEqual(selectPictures(own, ofValues, ['1tb', 'blue']), ['/blue/back.avif']);
  assert.deepEqual(selectPictures(own, ofValues, ['1tb', 'red']), own);
  assert.deepEqual(selectPictures(own, ofValues, []), own);
});

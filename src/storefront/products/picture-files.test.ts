import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPictureWidths, toLargestPictureUrl } from './picture-files.ts';

test('[PROD-12] the largest file of a picture is that of the library or of the catalogue', () => {
  const upload = `/images/uploads/${'a1'.repeat(20)}.avif`;
  assert.equal(toLargestPictureUrl(upload), `/api${upload.replace('.avif', '-2048.avif')}`);
  assert.equal(Math.max(...listPictureWidths(upload)), 2048);
  const own = '/images/products/iphone-17/back.avif';
  assert.equal(toLargestPictureUrl(own), `/api${own}`);
  assert.equal(Math.max(...listPictureWidths(own)), 1024);
});

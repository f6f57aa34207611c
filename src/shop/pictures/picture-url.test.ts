import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ICON_SIDES, listIconNames, listNames, readHash, WIDTHS } from '#src/platform/pictures/picture-files.ts';
import { formatUploadPath } from './check-picture.ts';
import {
  findMailPictureUrl,
  isUploadPath,
  toIconUrl,
  toPictureUrl,
  toPreviewUrl,
  toSmallPictureUrl,
  UPLOAD_WIDTHS,
} from './picture-url.ts';

const hash = 'a1'.repeat(20);
const path = formatUploadPath(hash);
const nameOf = (url: string): string => url.replace('/api/images/uploads/', '');

test('[OPS-07] every URL of an uploaded picture names one of its files', () => {
  const names = new Set([...listNames(hash), ...listIconNames(hash)]);
  const icons = ICON_SIDES.map((side) => toIconUrl(path, side));
  for (const url of [
    toPictureUrl(path),
    toSmallPictureUrl(path),
    toPreviewUrl(path),
    findMailPictureUrl(path) ?? '',
    ...icons,
  ]) {
    assert.ok(names.has(nameOf(url)), url);
    assert.equal(readHash(nameOf(url)), hash);
  }
  assert.deepEqual(UPLOAD_WIDTHS, [...WIDTHS]);
});

test('[OPS-07] other pictures keep their URL', () => {
  for (const other of ['/images/hero.avif', '/partners/partner-1.svg', '/images/uploads/short.avif']) {
    assert.equal(isUploadPath(other), false);
    assert.equal(toSmallPictureUrl(other), toPictureUrl(other));
    assert.equal(toIconUrl(other, 32), toPictureUrl(other));
  }
  assert.equal(findMailPictureUrl('/images/hero.avif'), null);
  assert.equal(findMailPictureUrl(''), null);
  assert.equal(toPictureUrl('/images/hero.avif'), '/api/images/hero.avif');
  assert.equal(toPictureUrl('/partners/partner-1.svg'), '/partners/partner-1.svg');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { waitUntil } from '../../../tests/support/wait-until.ts';
import { chooseEncoding, CompressedBody } from './compressed-body.ts';

const text = Buffer.from('the same page text, repeated; '.repeat(200));

test('chooses the best accepted encoding', () => {
  const chosen = {
    'gzip, deflate, br, zstd': 'br',
    'gzip;q=1.0, br;q=0': 'gzip',
    'br;q=0.5': 'br',
    'gzip;q=0, br;q=0.0': null,
    'brotli, x-gzip2': null,
    identity: null,
    '': null,
  };
  for (const [accepted, encoding] of Object.entries(chosen)) assert.equal(chooseEncoding(accepted), encoding, accepted);
  assert.equal(chooseEncoding(undefined), null);
});

test('every encoding holds the same bytes, under one ETag', () => {
  const bytes = new CompressedBody(text);
  assert.deepEqual(brotliDecompressSync(bytes.getBytes('br')), text);
  assert.deepEqual(gunzipSync(bytes.getBytes('gzip')), text);
  assert.deepEqual(bytes.getBytes(null), text);
  assert.ok(bytes.hasEtag(bytes.etag));
  assert.ok(bytes.hasEtag(`W/"another", ${bytes.etag}`));
  assert.equal(bytes.hasEtag('W/"another"'), false);
  assert.notEqual(new CompressedBody(Buffer.from('other')).etag, bytes.etag);
});

test('compresses repeated bodies better in the background', async () => {
  const bytes = new CompressedBody(text);
  const first = bytes.getBytes('br');
  assert.equal(bytes.getBytes('br'), first);
  bytes.getBytes('br');
  await waitUntil(() => bytes.getBytes('br').length < first.length);
  assert.deepEqual(brotliDecompressSync(bytes.getBytes('br')), text);
});

test('keeps only the memory of its bytes', async () => {
  const bytes = new CompressedBody(Buffer.from('a text in the pool of Node '.repeat(40)));
  const first = bytes.getBytes('br');
  bytes.getBytes('br');
  bytes.getBytes('br');
  await waitUntil(() => bytes.getBytes('br') !== first);
  for (const form of [bytes.identity, first, bytes.getBytes('br'), bytes.getBytes('gzip')])
    assert.equal(form.buffer.byteLength, form.length);
});

test('does not compress small bodies', () => {
  assert.equal(new CompressedBody(Buffer.from('small')).negotiateEncoding('br'), null);
});

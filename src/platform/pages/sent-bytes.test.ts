import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { until } from '../../../tests/support/until.ts';
import { chooseEncoding, SentBytes } from './sent-bytes.ts';

const text = Buffer.from('what is sent to everybody, and more than once; '.repeat(200));

test('the best encoding that the browser takes', () => {
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
  const bytes = new SentBytes(text);
  assert.deepEqual(brotliDecompressSync(bytes.in('br')), text);
  assert.deepEqual(gunzipSync(bytes.in('gzip')), text);
  assert.equal(bytes.in(null), text);
  assert.ok(bytes.isKnownBy(bytes.etag));
  assert.ok(bytes.isKnownBy(`W/"another", ${bytes.etag}`));
  assert.equal(bytes.isKnownBy('W/"another"'), false);
  assert.notEqual(new SentBytes(Buffer.from('other')).etag, bytes.etag);
});

test('what is asked for again is compressed better, in the background', async () => {
  const bytes = new SentBytes(text);
  const first = bytes.in('br');
  assert.equal(bytes.in('br'), first);
  bytes.in('br');
  await until(() => bytes.in('br').length < first.length);
  assert.deepEqual(brotliDecompressSync(bytes.in('br')), text);
});

test('what is small is not worth it', () => {
  assert.equal(new SentBytes(Buffer.from('small')).encodingFor('br'), null);
});

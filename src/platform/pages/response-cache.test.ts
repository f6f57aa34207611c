import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResponseCache } from './response-cache.ts';

test('an equal response of a new version keeps its compressed body and ETag', () => {
  const cache = new ResponseCache();
  const first = cache.set('/api/products', '1', { 'x-total-count': '1' }, [{ price: 1 }]);
  assert.equal(cache.get('/api/products', '2'), null);
  const second = cache.set('/api/products', '2', { 'x-total-count': '2' }, [{ price: 1 }]);
  assert.equal(second.body, first.body);
  assert.equal(cache.get('/api/products', '2')?.headers['x-total-count'], '2');
  const third = cache.set('/api/products', '3', {}, [{ price: 2 }]);
  assert.notEqual(third.body.etag, first.body.etag);
});

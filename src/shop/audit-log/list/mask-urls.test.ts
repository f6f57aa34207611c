import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { listMaskedKinds, maskUrl, maskUrls } from './mask-urls.ts';

test('[OPS-06] a masked address has its origin only', () => {
  assert.equal(maskUrl('https://user:pass@hooks.example:8443/a/b?key=1#c'), 'https://hooks.example:8443/…');
  assert.equal(maskUrl('https://'), '…');
  assert.equal(maskUrl('Orders of the warehouse'), 'Orders of the warehouse');
  assert.equal(maskUrl('Formerly https://hooks.example/a?key=1'), 'Formerly https://hooks.example/…');
  assert.deepEqual(listMaskedKinds('owner'), []);
  for (const role of ['manager', 'support', 'shipping']) assert.deepEqual(listMaskedKinds(role), ['webhook'], role);
});

test('[OPS-06] removes every part of an address after its origin', () => {
  const secret = fc.stringMatching(/^[a-z]{12,20}$/);
  fc.assert(
    fc.property(
      secret,
      fc.constantFrom('/', '/a?k=', '/#', '/a/'),
      fc.constantFrom('', 'Old: '),
      (text, path, before) => {
        const url = `${before}https://hooks.example${path}${text}`;
        const masked = maskUrls({ before: null, after: { url, list: [url], inner: { url }, count: 1 } });
        assert.ok(!JSON.stringify(masked).includes(text));
        assert.deepEqual(Object.keys(masked.after ?? {}), ['url', 'list', 'inner', 'count']);
      },
    ),
  );
});

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { SignedLinks } from './signed-links.ts';

const links = new SignedLinks(randomBytes(32));

test('[RET-01] a signed link gives its id for its purpose only', () => {
  const id = randomUUID();
  const token = links.sign('withdrawal', id);
  assert.match(token, /^[\w-]{22}\.[\w-]{43}$/);
  assert.equal(links.read('withdrawal', token), id);
  assert.equal(links.read('receipt', token), null);
});

test('[RET-01] a forged or changed link gives nothing', () => {
  const [own, other] = [links.sign('withdrawal', randomUUID()), links.sign('withdrawal', randomUUID())];
  const [[id = '', signature = ''], [otherId = '']] = [own.split('.'), other.split('.')];
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  const strange = new SignedLinks(randomBytes(32)).sign('withdrawal', randomUUID());
  for (const forged of ['', id, `${id}.${flipped}`, `${otherId}.${signature}`, strange, `${own}a`, 'x'.repeat(5000)])
    assert.equal(links.read('withdrawal', forged), null, forged);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPasswords } from './passwords.ts';

test('a hash has PHC form, a salt, and matches its password only', async () => {
  const passwords = openPasswords();
  const [first, second] = await Promise.all([passwords.hash('crypto-market'), passwords.hash('crypto-market')]);
  assert.match(first ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.notEqual(first, second);
  assert.equal(await passwords.check('crypto-market', first), 'right');
  assert.equal(await passwords.check('crypto-markeT', first), 'wrong');
});

test('verifies a hash of the reference implementation', async () => {
  // echo -n "password" | argon2 somesalt -id -t 2 -k 65536 -p 1 (test vector of the reference implementation).
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.equal(await openPasswords().check('password', hash), 'right');
});

test('the same characters in another encoding are the same password', async () => {
  const passwords = openPasswords();
  assert.equal(await passwords.check('Jose\u0301-1986', await passwords.hash('José-1986')), 'right');
});

test('no password matches without an account', async () => {
  assert.equal(await openPasswords().check('', null), 'wrong');
});

test('an invalid hash throws instead of rejecting the password', async () => {
  const passwords = openPasswords();
  await assert.rejects(passwords.check('x', 'crypto-market'), /not an argon2id hash/);
  assert.equal(await passwords.check('x', null), 'wrong', 'its place in the queue is free again');
});

test('[OPS-26] checks some passwords of a flood, queues some, refuses others', async () => {
  const passwords = openPasswords({ concurrency: 2, maxWaiting: 3 });
  const results = await Promise.all(Array.from({ length: 9 }, () => passwords.check('x', null, 'flood')));
  assert.deepEqual(results, ['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'busy', 'busy', 'busy', 'busy']);
  assert.equal(await passwords.check('x', null), 'wrong');
});

test('[OPS-26] sixty flooding addresses do not block a normal login', async () => {
  const passwords = openPasswords();
  const over = new AbortController();
  let refused = 0;
  const floods = Array.from({ length: 60 }, async (_, address) => {
    while (!over.signal.aborted) {
      const results = await Promise.all(
        Array.from({ length: 12 }, () => passwords.check('x', null, `192.0.2.${address}`)),
      );
      refused += results.filter((result) => result === 'busy').length;
      await new Promise((next) => setImmediate(next));
    }
  });
  const result = await passwords.check('x', null, '198.51.100.1');
  over.abort();
  await Promise.all(floods);
  assert.equal(result, 'wrong');
  assert.ok(refused > 0, 'no attempt was refused');
});

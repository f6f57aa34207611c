import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createBackupCipher, decryptBackup, isEncryptedBackup } from './backup-encryption.ts';

const PASSPHRASE = 'grün wie ein Apfel am Baum';
const WRONG = /passphrase is wrong, or this backup is damaged/;

/** The bytes in pieces of these lengths, repeated. */
async function* split(bytes: Buffer, lengths: readonly number[]): AsyncGenerator<Buffer> {
  for (let [at, turn] = [0, 0]; at < bytes.length; turn += 1) {
    const next = at + (lengths[turn % lengths.length] ?? 1);
    yield bytes.subarray(at, next);
    at = next;
  }
}
async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
const decrypt = (bytes: Buffer, passphrase = PASSPHRASE): Promise<Buffer> =>
  collect(decryptBackup(split(bytes, [40_000]), passphrase));
const encrypt = async (bytes: Buffer): Promise<Buffer> =>
  collect((await createBackupCipher(PASSPHRASE)).encrypt(split(bytes, [50_000])));

test('[PAY-07] an encrypted backup of any length and split is read again', async () => {
  const length = fc.oneof(fc.nat(300), fc.constantFrom(65_535, 65_536, 65_537, 131_072, 200_000));
  const lengths = fc.array(fc.integer({ min: 1_000, max: 90_000 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(length, lengths, lengths, async (size, written, read) => {
      const plain = randomBytes(size);
      const sealed = await collect((await createBackupCipher(PASSPHRASE)).encrypt(split(plain, written)));
      assert.ok(isEncryptedBackup(sealed.subarray(0, 64)));
      assert.deepEqual(await collect(decryptBackup(split(sealed, read), PASSPHRASE)), plain);
    }),
    { numRuns: 4 },
  );
});

test('[PAY-07] a changed, cut, extended or reordered backup is refused', async () => {
  const plain = randomBytes(150_000);
  const sealed = await encrypt(plain);
  const start = sealed.indexOf('\n') + 1;
  const piece = 65_552;
  const [first, second] = [sealed.subarray(start, start + piece), sealed.subarray(start + piece, start + 2 * piece)];
  const last = sealed.subarray(start + 2 * piece);
  const header = sealed.subarray(0, start);
  const flip = (at: number): Buffer => {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    return changed;
  };
  const bad = [
    flip(start - 2),
    flip(start + 5),
    flip(sealed.length - 1),
    sealed.subarray(0, -1),
    Buffer.concat([header, first, second]),
    Buffer.concat([header, first]),
    header,
    sealed.subarray(0, 20),
    Buffer.concat([header, second, first, last]),
    Buffer.concat([header, first, last]),
    Buffer.concat([sealed, last]),
    Buffer.from(sealed.toString('latin1').replace('m=65536', 'm=9999999'), 'latin1'),
  ];
  for (const [at, bytes] of bad.entries()) await assert.rejects(decrypt(bytes), WRONG, `case ${at}`);
});

test('[PAY-07] another passphrase is refused, another form of the same characters is not', async () => {
  const sealed = await encrypt(Buffer.from('rows'));
  await assert.rejects(decrypt(sealed, `${PASSPHRASE} `), WRONG);
  assert.equal((await decrypt(sealed, PASSPHRASE.normalize('NFD'))).toString(), 'rows');
  assert.notDeepEqual(await encrypt(Buffer.from('rows')), sealed, 'each file has its own key');
  assert.ok(!isEncryptedBackup(Buffer.from('{"backup":"crypto-market"}')));
});

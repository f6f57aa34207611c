/** Test vectors of the BIPs for addresses, payment URIs and descriptors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { Address, OutScript } from '@scure/btc-signer';
import { readAccountKey } from './account-key.ts';
import { readAddress, decodeAddress } from './address.ts';
import { createBip21Uri } from './bip21.ts';
import { deriveChildKeys } from './derive-child-key.ts';
import { computeDescriptorChecksum, readKeyExpression, addChecksum } from './descriptor.ts';
import { getBitcoinNetwork } from './network.ts';
import type { BitcoinNetworkName } from './network.ts';
import { readSignedPayout } from './payout.ts';

const toHex = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex');

test('[PAY-07] BIP32 test vectors 1 and 2: public children of public keys', () => {
  const derivations = [
    // m/0H → m/0H/1
    [
      'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw',
      1,
      'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ',
    ],
    // m/0H/1/2H → m/0H/1/2H/2
    [
      'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5',
      2,
      'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
    ],
    // m/0H/1/2H/2 → m/0H/1/2H/2/1000000000
    [
      'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
      1_000_000_000,
      'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
    ],
    // m → m/0 of vector 2
    [
      'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB',
      0,
      'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
    ],
    // m/0/2147483647H → m/0/2147483647H/1
    [
      'xpub6ASAVgeehLbnwdqV6UKMHVzgqAG8Gr6riv3Fxxpj8ksbH9ebxaEyBLZ85ySDhKiLDBrQSARLq1uNRts8RuJiHjaDMBU4Zn9h8LZNnBC5y4a',
      1,
      'xpub6DF8uhdarytz3FWdA8TvFSvvAh8dP3283MY7p2V4SeE2wyWmG5mg5EwVvmdMVCQcoNJxGoWaU9DCWh89LojfZ537wTfunKau47EL2dhHKon',
    ],
  ] as const;
  for (const [parent, index, child] of derivations) {
    const { publicKey, chainCode } = HDKey.fromExtendedKey(parent);
    assert.ok(publicKey !== null && chainCode !== null);
    assert.equal(toHex(deriveChildKeys(publicKey, chainCode)(index)), toHex(HDKey.fromExtendedKey(child).publicKey));
  }
});

test('[PAY-07] BIP84 test vector: receiving and change addresses', () => {
  const zpub =
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
  const read = readAccountKey(zpub, 'mainnet');
  assert.ok(read.ok);
  assert.equal(read.account.deriveAddress(0).address, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
  assert.equal(read.account.deriveAddress(1).address, 'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g');
  const change = decodeAddress('bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el', getBitcoinNetwork('mainnet'));
  assert.equal(toHex(read.account.deriveKey(1, 0).script), toHex(change));
});

test('[PAY-07] BIP86 test vector: addresses and scripts', () => {
  const xpub =
    'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ';
  const read = readAccountKey(xpub, 'mainnet', 'p2tr');
  assert.ok(read.ok);
  const [first, second] = [read.account.deriveAddress(0), read.account.deriveAddress(1)];
  assert.equal(first.address, 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr');
  assert.equal(toHex(first.script), '5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c');
  assert.equal(second.address, 'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh');
  assert.equal(toHex(second.script), '5120a82f29944d65b86ae6b5e5cc75e294ead6c59391a1edc5e016e3498c67fc7bbb');
  const change = decodeAddress(
    'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7',
    getBitcoinNetwork('mainnet'),
  );
  assert.equal(toHex(read.account.deriveKey(1, 0).script), toHex(change));
});

test('[PAY-13] BIP173 and BIP350 test vectors: valid segwit addresses and their scripts', () => {
  const valid: readonly (readonly [BitcoinNetworkName, string, string])[] = [
    ['mainnet', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'testnet4',
      'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
      '00201863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262',
    ],
    [
      'testnet4',
      'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
      '0020000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      'testnet4',
      'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
      '5120000000c4a5cad46221b2a187905e5266362b99d5e91c6ce24d165dab93e86433',
    ],
    [
      'mainnet',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
  ];
  for (const [name, address, script] of valid) {
    const network = getBitcoinNetwork(name);
    assert.deepEqual(readAddress(address, network), { ok: true, address: address.toLowerCase() });
    assert.equal(toHex(OutScript.encode(Address(network.addresses).decode(address.toLowerCase()))), script);
  }
  // Valid but of unknown witness versions, which anyone could spend.
  for (const address of [
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'BC1SW50QGDZ25J',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
  ]) {
    assert.equal(readAddress(address, getBitcoinNetwork('mainnet')).ok, false, address);
  }
});

test('[PAY-13] BIP350 test vectors: invalid segwit addresses', () => {
  const invalid = [
    'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
    'bc1gmk9yu',
  ];
  for (const address of invalid) {
    for (const name of ['mainnet', 'testnet4'] as const) {
      assert.equal(readAddress(address, getBitcoinNetwork(name)).ok, false, address);
    }
  }
});

test('[PAY-08] BIP21 examples: address, label, amount and message', () => {
  const address = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';
  assert.equal(createBip21Uri({ address }), `bitcoin:${address}`);
  assert.equal(createBip21Uri({ address, label: 'Luke-Jr' }), `bitcoin:${address}?label=Luke-Jr`);
  assert.equal(
    createBip21Uri({ address, amountBtc: '20.3', label: 'Luke-Jr' }),
    `bitcoin:${address}?amount=20.3&label=Luke-Jr`,
  );
  assert.equal(
    createBip21Uri({ address, amountBtc: '50', label: 'Luke-Jr', message: 'Donation for project xyz' }),
    `bitcoin:${address}?amount=50&label=Luke-Jr&message=Donation%20for%20project%20xyz`,
  );
});

test('[PAY-07] BIP380 test vectors: the checksum of a descriptor', () => {
  assert.equal(addChecksum('raw(deadbeef)'), 'raw(deadbeef)#89f8spxm');
  assert.notEqual(computeDescriptorChecksum('raw(deedbeef)'), '89f8spxm');
  assert.equal(computeDescriptorChecksum('raw(Ü)'), null);
  assert.throws(() => addChecksum('raw(Ü)'), RangeError);
});

test('[PAY-07] BIP380 test vectors: key expressions of accounts', () => {
  const xpub =
    'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL';
  assert.deepEqual(readKeyExpression(xpub), { ok: true, expression: { key: xpub, origin: null, script: null } });
  for (const origin of ['[deadbeef/0h/1h/2h]', "[deadbeef/0'/1'/2']", "[deadbeef/0'/1h/2']", '[DEADBEEF/0h/1h/2h]']) {
    const read = readKeyExpression(`${origin}${xpub}`);
    assert.deepEqual(read.ok && read.expression.origin, { fingerprint: 'deadbeef', path: [0, 1, 2] });
  }
  const invalid = [
    '[deadbeef/0h/0h/0h/*]',
    '[deadbeef/0h/0h/0h/]',
    '[deadbef/0h/0h/0h]',
    '[deadbeeef/0h/0h/0h]',
    '[deadbeef/0f/0f/0f]',
    '[deadbeef/-0/-0/-0]',
    '[aaaaaaaa][aaaaaaaa]',
    'aaaaaaaa]',
    '[gaaaaaaa]',
    '[deadbeef/2147483648h]',
  ];
  for (const origin of invalid) assert.equal(readKeyExpression(`${origin}${xpub}`).ok, false, origin);
  assert.equal(readKeyExpression('[deadbeef]').ok, false);
  for (const branch of ['/3/4/5', '/3/4/5/*', '/3h/4h/5h/*', '/0/*h', '/1/*', '/*', '/2147483648', '/1aa']) {
    assert.deepEqual(readKeyExpression(`${xpub}${branch}`), { ok: false, reason: 'branch' }, branch);
  }
});

/** An unsigned key-path spend from the valid vectors of BIP371. */
const TAPROOT_PSBT =
  'cHNidP8BAFICAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////AUjmBSoBAAAAFgAUdo4e60z0IIZgM/gKzv8PlyB0SWkAAAAAAAEBKwDyBSoBAAAAIlEgWiws9bUs8x+DrS6Npj/wMYPs2PYJx1EK6KSOA5EKB1chFv40kGTJjW4qhT+jybEr2LMEoZwZXGDvp+4jkwRtP6IyGQB3Ky2nVgAAgAEAAIAAAACAAQAAAAAAAAABFyD+NJBkyY1uKoU/o8mxK9izBKGcGVxg76fuI5MEbT+iMgAiAgNrdyptt02HU8mKgnlY3mx4qzMSEJ830+AwRIQkLs5z2Bh3Ky2nVAAAgAEAAIAAAACAAAAAAAAAAAAA';

const decodePsbt = (base64: string): Uint8Array => Buffer.from(base64, 'base64');
const readBack = (base64: string): string => {
  const read = readSignedPayout(decodePsbt(base64), decodePsbt(TAPROOT_PSBT));
  return read.ok ? read.txid : read.reason;
};

test('[PAY-13] BIP371 test vectors: P2TR key path, wrong signature lengths', () => {
  assert.equal(readBack(TAPROOT_PSBT), 'not-signed');
  const signed =
    'cHNidP8BAFICAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////AUjmBSoBAAAAFgAUdo4e60z0IIZgM/gKzv8PlyB0SWkAAAAAAAEBKwDyBSoBAAAAIlEgWiws9bUs8x+DrS6Npj/wMYPs2PYJx1EK6KSOA5EKB1cBE0C7U+yRe62dkGrxuocYHEi4as5aritTYFpyXKdGJWMUdvxvW67a9PLuD0d/NvWPOXDVuCc7fkl7l68uPxJcl680IRb+NJBkyY1uKoU/o8mxK9izBKGcGVxg76fuI5MEbT+iMhkAdystp1YAAIABAACAAAAAgAEAAAAAAAAAARcg/jSQZMmNbiqFP6PJsSvYswShnBlcYO+n7iOTBG0/ojIAIgIDa3cqbbdNh1PJioJ5WN5seKszEhCfN9PgMESEJC7Oc9gYdystp1QAAIABAACAAAAAgAAAAAAAAAAAAA==';
  const read = readSignedPayout(decodePsbt(signed), decodePsbt(TAPROOT_PSBT));
  assert.ok(read.ok, JSON.stringify(read));
  assert.match(toHex(read.raw), /0140bb53ec917bad9d906af1ba87181c48b86ace5aae2b53605a725ca746256314/);
  const tooShort =
    'cHNidP8BAHECAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////Anh8AQAAAAAAFgAUg6fjS9mf8DpJYu+KGhAbspVGHs5gawQqAQAAABYAFHrDad8bIOAz1hFmI5V7CsSfPFLoAAAAAAABASsA8gUqAQAAACJRIFosLPW1LPMfg60ujaY/8DGD7Nj2CcdRCuikjgORCgdXARM/Fzuz02wHSvtxb+xjB6BpouRQuZXzyCeFlFq43w4kJg3NcDsMvzTeOZGEqUgawrNYbbZgHwJqd/fkk4SBvDR1AAAA';
  const tooLong =
    'cHNidP8BAHECAAAAASd0Srq/MCf+DWzyOpbu4u+xiO9SMBlUWFiD5ptmJLJCAAAAAAD/////Anh8AQAAAAAAFgAUg6fjS9mf8DpJYu+KGhAbspVGHs5gawQqAQAAABYAFHrDad8bIOAz1hFmI5V7CsSfPFLoAAAAAAABASsA8gUqAQAAACJRIFosLPW1LPMfg60ujaY/8DGD7Nj2CcdRCuikjgORCgdXARNCFzuz02wHSvtxb+xjB6BpouRQuZXzyCeFlFq43w4kJg3NcDsMvzTeOZGEqUgawrNYbbZgHwJqd/fkk4SBvDR1FwGqAAAA';
  assert.deepEqual([tooShort, tooLong].map(readBack), ['another-transaction', 'another-transaction']);
});

test('[PAY-13] BIP174 test vectors: a network transaction, missing outputs, a filled scriptSig', () => {
  const transaction =
    'AgAAAAEmgXE3Ht/yhek3re6ks3t4AAwFZsuzrWRkFxPKQhcb9gAAAABqRzBEAiBwsiRRI+a/R01gxbUMBD1MaRpdJDXwmjSnZiqdwlF5CgIgATKcqdrPKAvfMHQOwDkEIkIsgctFg5RXrrdvwS7dlbMBIQJlfRGNM1e44PTCzUbbezn22cONmnCry5st5dyNv+TOMf7///8C09/1BQAAAAAZdqkU0MWZA8W6woaHYOkP1SGkZlqnZSCIrADh9QUAAAAAF6kUNUXm4zuDLEcFDyTT7rk8nAOUi8eHsy4TAA==';
  const missingOutputs =
    'cHNidP8BAHUCAAAAASaBcTce3/KF6Tet7qSze3gADAVmy7OtZGQXE8pCFxv2AAAAAAD+////AtPf9QUAAAAAGXapFNDFmQPFusKGh2DpD9UhpGZap2UgiKwA4fUFAAAAABepFDVF5uM7gyxHBQ8k0+65PJwDlIvHh7MuEwAAAQD9pQEBAAAAAAECiaPHHqtNIOA3G7ukzGmPopXJRjr6Ljl/hTPMti+VZ+UBAAAAFxYAFL4Y0VKpsBIDna89p95PUzSe7LmF/////4b4qkOnHf8USIk6UwpyN+9rRgi7st0tAXHmOuxqSJC0AQAAABcWABT+Pp7xp0XpdNkCxDVZQ6vLNL1TU/////8CAMLrCwAAAAAZdqkUhc/xCX/Z4Ai7NK9wnGIZeziXikiIrHL++E4sAAAAF6kUM5cluiHv1irHU6m80GfWx6ajnQWHAkcwRAIgJxK+IuAnDzlPVoMR3HyppolwuAJf3TskAinwf4pfOiQCIAGLONfc0xTnNMkna9b7QPZzMlvEuqFEyADS8vAtsnZcASED0uFWdJQbrUqZY3LLh+GFbTZSYG2YVi/jnF6efkE/IQUCSDBFAiEA0SuFLYXc2WHS9fSrZgZU327tzHlMDDPOXMMJ/7X85Y0CIGczio4OFyXBl/saiK9Z9R5E5CVbIBZ8hoQDHAXR8lkqASECI7cr7vCWXRC+B3jv7NYfysb3mk6haTkzgHNEZPhPKrMAAAAAAA==';
  const filledScriptSig =
    'cHNidP8BAP0KAQIAAAACqwlJoIxa98SbghL0F+LxWrP1wz3PFTghqBOfh3pbe+QAAAAAakcwRAIgR1lmF5fAGwNrJZKJSGhiGDR9iYZLcZ4ff89X0eURZYcCIFMJ6r9Wqk2Ikf/REf3xM286KdqGbX+EhtdVRs7tr5MZASEDXNxh/HupccC1AaZGoqg7ECy0OIEhfKaC3Ibi1z+ogpL+////qwlJoIxa98SbghL0F+LxWrP1wz3PFTghqBOfh3pbe+QBAAAAAP7///8CYDvqCwAAAAAZdqkUdopAu9dAy+gdmI5x3ipNXHE5ax2IrI4kAAAAAAAAGXapFG9GILVT+glechue4O/p+gOcykWXiKwAAAAAAAABASAA4fUFAAAAABepFDVF5uM7gyxHBQ8k0+65PJwDlIvHhwEEFgAUhdE1N/LiZUBaNNuvqePdoB+4IwgAAAA=';
  assert.equal(readBack(transaction), 'another-transaction');
  assert.deepEqual([missingOutputs, filledScriptSig].map(readBack), ['another-transaction', 'another-transaction']);
});

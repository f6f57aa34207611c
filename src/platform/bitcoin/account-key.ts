import { bech32, createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { hash160 } from '@scure/btc-signer/utils.js';
import { createHash } from 'node:crypto';
import { childKeysOf } from './derive-child-key.ts';
import { bitcoinNetwork } from './network.ts';
import type { BitcoinNetwork, BitcoinNetworkName } from './network.ts';

/** A watch-only account: it makes addresses and cannot spend. */
export interface AccountKey {
  /** Stable name of the account: hash160 of its public key in hex; the same for xpub and zpub. */
  readonly account: string;
  readonly network: BitcoinNetwork;
  /** The key as xpub or tpub, whatever form it came in. */
  readonly extendedKey: string;
  /** BIP84 receiving address `0/index`. @throws RangeError when the index is not in 0 … 2³¹−1 */
  address(index: number): { readonly address: string; readonly script: Uint8Array };
}

export type AccountKeyResult =
  | { readonly ok: true; readonly account: AccountKey }
  | {
      readonly ok: false;
      readonly reason: 'private-key' | 'bip49' | 'multisig' | 'wrong-network' | 'malformed';
      /** For a person; it never repeats the text that was read. */
      readonly message: string;
    };

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

/** BIP141: a version 0 witness program is this and what is pushed. */
const OP_0 = 0x00;
const EXTENDED_KEY_BYTES = 78;
const TEST_NAMES = 'testnet4, signet or regtest';

/** SLIP-132 version bytes of public keys; the private ones are refused before this table is asked. */
const publicVersions: ReadonlyMap<number, { readonly kind: 'bip84' | 'bip49' | 'multisig'; readonly isTest: boolean }> =
  new Map([
    [0x0488b21e, { kind: 'bip84', isTest: false }],
    [0x04b24746, { kind: 'bip84', isTest: false }],
    [0x049d7cb2, { kind: 'bip49', isTest: false }],
    [0x0295b43f, { kind: 'multisig', isTest: false }],
    [0x02aa7ed3, { kind: 'multisig', isTest: false }],
    [0x043587cf, { kind: 'bip84', isTest: true }],
    [0x045f1cf6, { kind: 'bip84', isTest: true }],
    [0x044a5262, { kind: 'bip49', isTest: true }],
    [0x024289ef, { kind: 'multisig', isTest: true }],
    [0x02575483, { kind: 'multisig', isTest: true }],
  ]);

/** Whether a text is, or looks like, something that can spend money: a private key, or the words or bytes of a seed. */
export function looksPrivate(text: string): boolean {
  // Extended private keys of every flavour, also inside a descriptor. One public key in about a thousand spells "xprv"
  // somewhere by chance: in the middle of letters only what is long enough to be a whole private key counts.
  if (/(?<![0-9a-z])[xyztuv]prv|[xyztuv]prv[1-9a-z]{104}/i.test(text)) return true;
  // WIF and mini private keys, right or wrong in their checksum.
  if (/^[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}$/.test(text) || /^S[1-9A-HJ-NP-Za-km-z]{21,29}$/.test(text)) return true;
  // Encrypted keys (BIP38), and 32 or 64 bytes in hex: a bare key or a seed.
  if (/^6P[1-9A-HJ-NP-Za-km-z]{56}$/.test(text) || /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)) return true;
  // Seed words, in any language and with any separator.
  return text.split(/[\s,;]+/u).filter((word) => /^\p{L}[\p{L}\p{M}]*$/u.test(word)).length >= 6;
}

function refuse(reason: Extract<AccountKeyResult, { ok: false }>['reason'], message: string): AccountKeyResult {
  return { ok: false, reason, message };
}

/**
 * Reads the extended public key of a BIP84 account: xpub or zpub on mainnet, tpub or vpub on the test networks.
 * Whatever could spend money is refused, and no message repeats what was read.
 * Sources: BIP32 (serialisation), BIP84 (derivation), SLIP-132 (version bytes).
 */
export function readAccountKey(text: string, networkName: BitcoinNetworkName): AccountKeyResult {
  const network = bitcoinNetwork(networkName);
  const trimmed = text.trim();
  if (looksPrivate(trimmed)) {
    return refuse(
      'private-key',
      'This is, or looks like, a PRIVATE key or a seed. It must never be given to a shop: whoever reads it can take ' +
        'all the money. Consider it exposed, and export the public key (xpub, zpub, tpub or vpub) of the account instead.',
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(trimmed);
  } catch {
    return refuse('malformed', 'This is no extended public key: it does not decode, or its checksum is wrong.');
  }
  if (bytes.length !== EXTENDED_KEY_BYTES) {
    return refuse('malformed', 'This is no extended public key: its length is wrong.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = publicVersions.get(view.getUint32(0));
  // A private key's 32 bytes follow a zero byte; a public key begins with 2 or 3.
  if (bytes[45] === 0) {
    return refuse('private-key', 'This is an extended PRIVATE key. Consider it exposed, and export the public one.');
  }
  if (version === undefined) return refuse('malformed', 'These are not the version bytes of an extended public key.');
  if (version.kind === 'bip49') {
    return refuse(
      'bip49',
      'This is the key of a BIP49 account (ypub or upub). The shop uses BIP84 (native segwit): export a zpub, or a vpub on a test network.',
    );
  }
  if (version.kind === 'multisig') {
    return refuse(
      'multisig',
      'This is the key of a multisignature account. The shop needs a BIP84 account of one key.',
    );
  }
  if (version.isTest !== (network.name !== 'mainnet')) {
    const belongsTo = version.isTest ? TEST_NAMES : 'mainnet';
    return refuse('wrong-network', `This key belongs to ${belongsTo}, but the network is ${network.name}.`);
  }
  return build(bytes, network);
}

function build(bytes: Uint8Array, network: BitcoinNetwork): AccountKeyResult {
  const normalised = Uint8Array.from(bytes);
  new DataView(normalised.buffer).setUint32(0, network.extendedKeys.account);
  const extendedKey = base58check.encode(normalised);
  let childKey: (index: number) => Uint8Array;
  let account: string;
  try {
    const key = HDKey.fromExtendedKey(extendedKey, { public: network.extendedKeys.account, private: 0 });
    const { publicKey, chainCode } = key.deriveChild(0);
    if (publicKey === null || chainCode === null) throw new Error('no public key');
    childKey = childKeysOf(publicKey, chainCode);
    account = Buffer.from(key.identifier ?? []).toString('hex');
  } catch {
    return refuse('malformed', 'This is no extended public key: it holds no point of the curve.');
  }
  return {
    ok: true,
    account: {
      account,
      network,
      extendedKey,
      address(index) {
        if (!Number.isInteger(index) || index < 0 || index > 0x7fff_ffff) throw new RangeError('no such address index');
        const keyHash = hash160(childKey(index));
        const script = Uint8Array.of(OP_0, keyHash.length, ...keyHash);
        return { address: bech32.encode(network.addresses.bech32, [0, ...bech32.toWords(keyHash)]), script };
      },
    },
  };
}

import { bech32, createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { p2tr } from '@scure/btc-signer';
import { hash160 } from '@scure/btc-signer/utils.js';
import { createHash } from 'node:crypto';
import { deriveChildKeys } from './derive-child-key.ts';
import { formatPath, readKeyExpression, addChecksum } from './descriptor.ts';
import type { KeyExpression, KeyExpressionResult, KeyOrigin } from './descriptor.ts';
import { getBitcoinNetwork } from './network.ts';
import type { BitcoinNetwork, BitcoinNetworkName } from './network.ts';
import { scriptRules } from './wallet-script.ts';
import type { WalletScript } from './wallet-script.ts';
import { findExportedKey, listSecretCandidates, MAX_EXPORT_CHARACTERS } from './wallet-export.ts';

/** A watch-only account: derives addresses and cannot spend. */
export interface AccountKey {
  /**
   * Stable id of the account: hash160 of its public key in hex, prefixed with `p2tr:` for taproot.
   */
  readonly account: string;
  readonly network: BitcoinNetwork;
  readonly script: WalletScript;
  /** The key as xpub or tpub. */
  readonly extendedKey: string;
  /** Key fingerprint, eight hex digits. */
  readonly fingerprint: string;
  /** Depth below the master key. */
  readonly depth: number;
  /** Null if the key has no origin. */
  readonly origin: KeyOrigin | null;
  /** Descriptor of the receiving branch `0/*`, with checksum. */
  readonly descriptor: string;
  /** Descriptor of the change branch `1/*`. */
  readonly changeDescriptor: string;
  /** Receiving address `0/index` of BIP84 or BIP86. @throws RangeError when the index is not in 0 … 2³¹−1 */
  deriveAddress(index: number): { readonly address: string; readonly script: Uint8Array };
  /** The key `branch/index`, compressed, and the script that pays it. @throws RangeError as above */
  deriveKey(branch: Branch, index: number): { readonly publicKey: Uint8Array; readonly script: Uint8Array };
}

/** 0: receiving, 1: change (BIP44). */
export type Branch = 0 | 1;

type RefusalReason =
  | 'private-key'
  | 'bip49'
  | 'multisig'
  | 'wrong-network'
  | 'malformed'
  /** Key, origin or descriptor belong to another script type. */
  | 'wrong-script'
  /** The origin does not match the key. */
  | 'wrong-origin'
  /** Not the key of an account, and not confirmed. */
  | 'wrong-depth';

export type AccountKeyResult =
  | { readonly ok: true; readonly account: AccountKey }
  | {
      readonly ok: false;
      readonly reason: RefusalReason;
      /** Human-readable; never contains the input. */
      readonly message: string;
    };

const base58check = createBase58check((bytes: Uint8Array) => createHash('sha256').update(bytes).digest());

/** BIP141: opcode of a version 0 witness program. */
const OP_0 = 0x00;
const EXTENDED_KEY_BYTES = 78;
/** BIP44: purpose, coin type and account. */
const ACCOUNT_DEPTH = 3;
const HARDENED = 0x8000_0000;
const TEST_NAMES = 'testnet4, signet or regtest';

interface KeyKind {
  /** `any`: BIP32 version bytes, which do not define a script type. */
  readonly kind: 'any' | 'bip84' | 'bip49' | 'multisig';
  readonly isTest: boolean;
}

/** SLIP-132 version bytes of public keys. Private keys are rejected before. */
const publicVersions: ReadonlyMap<number, KeyKind> = new Map([
  [0x0488b21e, { kind: 'any', isTest: false }],
  [0x04b24746, { kind: 'bip84', isTest: false }],
  [0x049d7cb2, { kind: 'bip49', isTest: false }],
  [0x0295b43f, { kind: 'multisig', isTest: false }],
  [0x02aa7ed3, { kind: 'multisig', isTest: false }],
  [0x043587cf, { kind: 'any', isTest: true }],
  [0x045f1cf6, { kind: 'bip84', isTest: true }],
  [0x044a5262, { kind: 'bip49', isTest: true }],
  [0x024289ef, { kind: 'multisig', isTest: true }],
  [0x02575483, { kind: 'multisig', isTest: true }],
]);

const EXTENDED_PRIVATE_KEY = /(?<![0-9a-z])[xyztuv]prv|[xyztuv]prv[1-9a-z]{104}/i;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
/** WIF, with or without a valid checksum, and encrypted keys (BIP38); seeds and shares of them (BIP93). */
const SECRET_WORD = /^(?:[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}|6P[1-9A-HJ-NP-Za-km-z]{56})$/;
const CODEX32 = /^(?:ms|cl)1[02-9ac-hj-np-z]{20,}$/i;
const MIN_SEED_WORDS = 6;
/** Words between one sign, such as `abandon-ability-able`. */
const JOINED_WORDS = /^[\p{L}\p{M}\s,;._|/-]+$/u;
/** A seed as numbers of its words: digits alone (SeedQR), or numbers. */
const isNumberedSeed = (text: string): boolean =>
  /^(?:\d{4}){12,24}$/.test(text.replaceAll(/\s/g, '')) || /^(?:\d{1,4}[\s,;]+){11,}\d{1,4}$/.test(text);

/** A typed or pasted text without invisible characters and outer blanks, and with wide letters as the usual ones. */
export const foldPasted = (text: string): string => text.replaceAll(INVISIBLE, '').normalize('NFKC').trim();

/**
 * Whether a text is or resembles something that can spend: a private key, or a seed as words, numbers or bytes.
 */
export const isPrivateKeyLike = (text: string): boolean =>
  // Invisible characters may be within words, or between them.
  isSecret(foldPasted(text)) || isSecret(foldPasted(text.replaceAll(INVISIBLE, ' ')));

function isSecret(text: string): boolean {
  // Extended private keys of every kind, also inside a descriptor. About one public key in a
  // thousand contains xprv by chance, so inside other letters only the length of a whole private
  // key counts.
  if (EXTENDED_PRIVATE_KEY.test(text)) return true;
  // Mini private keys, and 32 or 64 bytes in hex.
  if (/^S[1-9A-HJ-NP-Za-km-z]{21,29}$/.test(text) || /^(?:0x)?(?:[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)) return true;
  const words = text.split(/[\s,;:="']+/u);
  if (words.some((word) => SECRET_WORD.test(word) || CODEX32.test(word)) || isNumberedSeed(text)) return true;
  // Seed words in any language with any separator, numbered or not.
  const separated = JOINED_WORDS.test(text) ? text.split(/[^\p{L}\p{M}]+/u) : text.split(/[\s,;]+/u);
  const seedWords = separated.filter((word) => /^(?:\d{1,2}[.):])?\p{L}[\p{L}\p{M}]*$/u.test(word));
  return seedWords.length >= MIN_SEED_WORDS;
}

function refuse(reason: RefusalReason, message: string): AccountKeyResult {
  return { ok: false, reason, message };
}

const NO_FORM: Readonly<Record<Extract<KeyExpressionResult, { ok: false }>['reason'], string>> = {
  checksum: 'The checksum behind the # is wrong: copy the whole descriptor from your wallet again.',
  form: 'This is not an extended public key, alone or in the descriptor of a single-key wallet.',
  branch: 'The shop derives the receiving addresses /0/* of an account: give it the key of the account.',
};

/** Whether an export of a wallet contains something that can spend, anywhere. */
const isSpendable = (text: string): boolean =>
  EXTENDED_PRIVATE_KEY.test(text) || listSecretCandidates(text).some(isPrivateKeyLike);

/**
 * Parses the extended public key of an account (xpub, zpub, tpub or vpub), alone, with its origin
 * `[fingerprint/84h/0h/0h]`, as a descriptor, or in the file that a wallet exported. Rejects private
 * keys; messages never contain the input.
 * Sources: BIP32, BIP84, BIP86, BIP380, SLIP-132.
 * @param isAnyDepth confirmed: the key need not be that of an account
 */
export function readAccountKey(
  text: string,
  networkName: BitcoinNetworkName,
  script: WalletScript = 'p2wpkh',
  isAnyDepth = false,
): AccountKeyResult {
  const network = getBitcoinNetwork(networkName);
  const written = text.replaceAll(INVISIBLE, '').trim();
  if (text.length > MAX_EXPORT_CHARACTERS) return refuse('malformed', NO_FORM.form);
  if (isSpendable(text.trim())) {
    return refuse(
      'private-key',
      'This is, or looks like, a PRIVATE key or a seed. It must never be given to a shop: anyone who reads it can take ' +
        'all the money. Consider it exposed, and export the public key (xpub, zpub, tpub or vpub) of the account instead.',
    );
  }
  const found = findExportedKey(written, script);
  if (found === null) return refuse('malformed', describeMissing(script));
  const read = readKeyExpression(found);
  if (!read.ok) return findWrongFunction(found, script) ?? refuse('malformed', NO_FORM[read.reason]);
  return readExpression(read.expression, network, script, isAnyDepth);
}

/** Checks a key against network, script type, origin and depth. */
function readExpression(
  expression: KeyExpression,
  network: BitcoinNetwork,
  script: WalletScript,
  isAnyDepth: boolean,
): AccountKeyResult {
  let bytes: Uint8Array;
  try {
    bytes = base58check.decode(expression.key);
  } catch {
    return refuse('malformed', 'This is not an extended public key: it does not decode, or its checksum is wrong.');
  }
  if (bytes.length !== EXTENDED_KEY_BYTES) {
    return refuse('malformed', 'This is not an extended public key: its length is wrong.');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = publicVersions.get(view.getUint32(0));
  // Private keys start with a zero byte, public keys with 2 or 3.
  if (bytes[45] === 0) {
    return refuse('private-key', 'This is an extended PRIVATE key. Consider it exposed, and export the public one.');
  }
  if (version === undefined) return refuse('malformed', 'These are not the version bytes of an extended public key.');
  const wrong = findWrongScript(version, expression, script) ?? findWrongNetwork(version, network);
  if (wrong) return wrong;
  const { origin } = expression;
  if (origin !== null && !isOriginOf(origin, view)) {
    return refuse('wrong-origin', 'The origin in brackets does not belong to this key: export both together again.');
  }
  const coin = network.name === 'mainnet' ? 0 : 1;
  if (origin !== null && origin.path.length >= 3 && origin.path[1] !== coin) {
    return refuse('wrong-network', `The origin names coin type ${origin.path[1]}h; on ${network.name} it is ${coin}h.`);
  }
  const depth = view.getUint8(4);
  if (depth !== ACCOUNT_DEPTH && !isAnyDepth) return refuse('wrong-depth', describeDepth(depth, script));
  return build(bytes, network, script, origin);
}

const describeMissing = (script: WalletScript): string =>
  `This file has no key of a single-key account m/${scriptRules[script].purpose}h. Export the account as a descriptor.`;

const describeDepth = (depth: number, script: WalletScript): string =>
  `This key has depth ${depth}; the key of an account, m/${scriptRules[script].purpose}h/…, has depth ${ACCOUNT_DEPTH}. ` +
  'Other wallets would not find the payments. If you are sure, set BITCOIN_XPUB_ANY_DEPTH=on, and compare the addresses.';

const refuseBip49 = (script: WalletScript): AccountKeyResult => {
  const { purpose, title } = scriptRules[script];
  const names = script === 'p2wpkh' ? 'a zpub, or a vpub on a test network' : 'its xpub, or tpub on a test network';
  const wanted = `The shop uses ${title}: export the key of the account m/${purpose}h, ${names}.`;
  return refuse('bip49', `This is the key of a BIP49 account (ypub or upub). ${wanted}`);
};

const refuseMultisig = (): AccountKeyResult =>
  refuse('multisig', 'This is the key of a multisignature account. The shop needs a single-key account.');

/** Nested descriptor functions. */
function findWrongFunction(text: string, script: WalletScript): AccountKeyResult | null {
  if (text.startsWith('sh(wpkh(')) return refuseBip49(script);
  return /^(?:sh\()?(?:wsh|multi|sortedmulti)\(/.test(text) ? refuseMultisig() : null;
}

/** Checks that key, origin and descriptor match the script type of the shop. */
function findWrongScript(
  { kind }: KeyKind,
  { origin, script: named }: KeyExpression,
  script: WalletScript,
): AccountKeyResult | null {
  const { purpose, descriptor, title } = scriptRules[script];
  const wanted = `The shop uses ${title}: export the key of the account m/${purpose}h`;
  const path = origin?.path ?? [];
  const stated = path.length >= 3 ? path[0] : undefined;
  if (kind === 'bip49' || stated === 49) return refuseBip49(script);
  if (kind === 'multisig' || stated === 45 || stated === 48 || stated === 87) return refuseMultisig();
  if (kind === 'bip84' && script !== 'p2wpkh') {
    return refuse('wrong-script', `A zpub or vpub is the key of a BIP84 account. ${wanted}, as xpub or tpub.`);
  }
  if (named !== null && named !== descriptor) {
    const hint = 'WALLET_SCRIPT is p2wpkh for wpkh(…) and p2tr for tr(…).';
    return refuse('wrong-script', `This is not a descriptor ${descriptor}(…). ${hint}`);
  }
  if (stated !== undefined && stated !== purpose) {
    return refuse('wrong-script', `The origin names purpose ${stated}h. ${wanted}.`);
  }
  return null;
}

function findWrongNetwork({ isTest }: KeyKind, network: BitcoinNetwork): AccountKeyResult | null {
  if (isTest === (network.name !== 'mainnet')) return null;
  const belongsTo = isTest ? TEST_NAMES : 'mainnet';
  return refuse('wrong-network', `This key belongs to ${belongsTo}, but the network is ${network.name}.`);
}

/** A key contains its depth, its last step and its parent's fingerprint. */
function isOriginOf({ fingerprint, path }: KeyOrigin, key: DataView): boolean {
  const last = path.at(-1);
  if (key.getUint8(4) !== path.length) return false;
  if (last !== undefined && key.getUint32(9) !== last + HARDENED) return false;
  return path.length !== 1 || key.getUint32(5) === Number.parseInt(fingerprint, 16);
}

/** @throws if a taproot key has no address; no such key is known. */
function createOutput(publicKey: Uint8Array, { addresses }: BitcoinNetwork, kind: WalletScript) {
  if (kind === 'p2tr') {
    const { address, script } = p2tr(publicKey.subarray(1), undefined, addresses);
    if (address === undefined) throw new Error('a payment has no address');
    return { address, script };
  }
  const keyHash = hash160(publicKey);
  const script = Uint8Array.of(OP_0, keyHash.length, ...keyHash);
  return { address: bech32.encode(addresses.bech32, [0, ...bech32.toWords(keyHash)]), script };
}

function deriveBranchKeys(account: HDKey, branch: Branch): (index: number) => Uint8Array {
  const { publicKey, chainCode } = account.deriveChild(branch);
  if (publicKey === null || chainCode === null) throw new Error('no public key');
  const childKey = deriveChildKeys(publicKey, chainCode);
  return (index) => {
    if (!Number.isInteger(index) || index < 0 || index > 0x7fff_ffff) throw new RangeError('invalid address index');
    return childKey(index);
  };
}

function build(
  bytes: Uint8Array,
  network: BitcoinNetwork,
  script: WalletScript,
  origin: KeyOrigin | null,
): AccountKeyResult {
  const normalised = Uint8Array.from(bytes);
  new DataView(normalised.buffer).setUint32(0, network.extendedKeys.account);
  const extendedKey = base58check.encode(normalised);
  let branches: Readonly<Record<Branch, (index: number) => Uint8Array>>;
  let hash: string;
  try {
    const key = HDKey.fromExtendedKey(extendedKey, { public: network.extendedKeys.account, private: 0 });
    branches = { 0: deriveBranchKeys(key, 0), 1: deriveBranchKeys(key, 1) };
    hash = Buffer.from(key.identifier ?? []).toString('hex');
  } catch {
    return refuse('malformed', 'This is not an extended public key: it is not a point on the curve.');
  }
  const from = origin === null ? '' : `[${origin.fingerprint}${formatPath(origin.path)}]`;
  const formatDescriptor = (branch: Branch): string =>
    addChecksum(`${scriptRules[script].descriptor}(${from}${extendedKey}/${branch}/*)`);
  return {
    ok: true,
    account: {
      account: script === 'p2tr' ? `p2tr:${hash}` : hash,
      network,
      script,
      extendedKey,
      fingerprint: hash.slice(0, 8),
      depth: bytes[4] ?? 0,
      origin,
      descriptor: formatDescriptor(0),
      changeDescriptor: formatDescriptor(1),
      deriveAddress: (index) => createOutput(branches[0](index), network, script),
      deriveKey(branch, index) {
        const publicKey = branches[branch](index);
        return { publicKey, script: createOutput(publicKey, network, script).script };
      },
    },
  };
}

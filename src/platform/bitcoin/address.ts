import { Address, OutScript } from '@scure/btc-signer';
import { foldPasted, isPrivateKeyLike } from './account-key.ts';
import { getBitcoinNetwork, networkNames } from './network.ts';
import type { BitcoinNetwork, BitcoinNetworkName } from './network.ts';

export type AddressResult =
  | {
      readonly ok: true;
      /** Canonical form: bech32 in lower case. */
      readonly address: string;
    }
  | {
      readonly ok: false;
      /** Human-readable; never contains the input. */
      readonly message: string;
    };

/** The address in canonical form; null if it is invalid, of another network, or unspendable. */
function decode(text: string, { addresses }: BitcoinNetwork): string | null {
  try {
    const coder = Address(addresses);
    const output = coder.decode(text);
    // Throws for a taproot key that is not on the curve: the money would be lost.
    OutScript.encode(output);
    return coder.encode(output);
  } catch {
    return null;
  }
}

const refuse = (message: string): AddressResult => ({ ok: false, message });

const describeNetwork = (name: BitcoinNetworkName): string =>
  name === 'mainnet' ? 'the Bitcoin network' : `the test network ${name}`;

/**
 * Parses an address to pay to: P2PKH, P2SH, or segwit version 0 or 1 of the network.
 * Invisible characters and wide letters of a pasted one are folded. Sources: base58check, BIP173, BIP350.
 */
export function readAddress(text: string, network: BitcoinNetwork): AddressResult {
  const trimmed = foldPasted(text);
  const address = decode(trimmed, network);
  if (address !== null) return { ok: true, address };
  if (isPrivateKeyLike(text)) {
    return refuse('This looks like a private key or a recovery phrase. Never share it. We did not store it');
  }
  if (/^bitcoin:/i.test(trimmed)) return refuse('Enter only the address, without "bitcoin:" and the parameters');
  if (/^(?:lightning:)?ln(?:bc|tb|bcrt|url)/i.test(trimmed) || trimmed.includes('@')) {
    return refuse('This is for Lightning payments. Enter a Bitcoin address');
  }
  if (/^[xyztuv]pub/i.test(trimmed)) return refuse('This is an extended public key. Enter a single address');
  const other = networkNames.find((name) => decode(trimmed, getBitcoinNetwork(name)) !== null);
  if (other !== undefined)
    return refuse(`This address belongs to ${describeNetwork(other)}. Enter one of ${describeNetwork(network.name)}`);
  const isBech32 = new RegExp(`^${network.bech32}1`, 'i').test(trimmed);
  if (isBech32 || /^[13mn2][1-9A-HJ-NP-Za-km-z]{24,34}$/.test(trimmed)) {
    return refuse('This address has a typing error. Copy it from your wallet');
  }
  return refuse('This is not a Bitcoin address');
}

/**
 * Output script of an address that `readAddress` accepted.
 * @throws Error for any other text
 */
export function decodeAddress(address: string, { addresses }: BitcoinNetwork): Uint8Array {
  return OutScript.encode(Address(addresses).decode(address));
}

/** The address of a script; null without one. */
export function encodeAddress(script: Uint8Array, { addresses }: BitcoinNetwork): string | null {
  try {
    return Address(addresses).encode(OutScript.decode(script));
  } catch {
    return null;
  }
}

/** Virtual bytes of an output without its script. */
const OUTPUT_BYTES = 9n;
const WITNESS_SPEND_BYTES = 67n;
const LEGACY_SPEND_BYTES = 148n;
const DUST_SATS_PER_BYTE = 3n;

/** Whether a script is a witness program (BIP141). */
function isWitnessProgram(script: Uint8Array): boolean {
  const [version = -1, length = 0] = script;
  return script.length >= 4 && script.length <= 42 && length === script.length - 2 && (version === 0 || version > 0x50);
}

/** Dust limit of a script (Bitcoin Core's policy.cpp, 3 sat/vB). */
export function computeDustSats(script: Uint8Array): bigint {
  const spend = isWitnessProgram(script) ? WITNESS_SPEND_BYTES : LEGACY_SPEND_BYTES;
  return (OUTPUT_BYTES + BigInt(script.length) + spend) * DUST_SATS_PER_BYTE;
}

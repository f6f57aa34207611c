import { virtualSize } from './transaction.ts';
import type { WalletScript } from './wallet-script.ts';

/** Sats per virtual byte beyond which a fee is a mistake. */
export const MAX_FEE_RATE = 1000;
/** What nodes relay at least. */
const MIN_FEE_RATE = 1;

/** Weight units of an input with its signature: 72 bytes of ECDSA and a key (BIP143), or 64 of Schnorr (BIP341). */
const INPUT_WEIGHT: Readonly<Record<WalletScript, number>> = {
  p2wpkh: 4 * 41 + (1 + 1 + 72 + 1 + 33),
  p2tr: 4 * 41 + (1 + 1 + 64),
};
/** Version, lock time, the marker of a witness and its flag. */
const BASE_WEIGHT = 4 * (4 + 4) + 2;
/** Amount and length of a script that is shorter than 253 bytes. */
const OUTPUT_BYTES = 8 + 1;

/** Bytes of a number as transactions write it. */
const countBytes = (count: number): number => (count < 253 ? 1 : 3);

/** Virtual bytes of a signed transaction, exactly, as long as no signature happens to be shorter. */
function signedSize(script: WalletScript, inputs: number, scriptBytes: readonly number[]): number {
  const outputs = scriptBytes.reduce((sum, bytes) => sum + OUTPUT_BYTES + bytes, 0);
  const counts = countBytes(inputs) + countBytes(scriptBytes.length);
  return virtualSize(BASE_WEIGHT + inputs * INPUT_WEIGHT[script] + 4 * (counts + outputs));
}

interface Choice<Coin> {
  /** In the order of preference. */
  readonly coins: readonly Coin[];
  readonly script: WalletScript;
  /** Lengths of the scripts that are paid. */
  readonly payeeBytes: number;
  readonly changeBytes: number;
  /** Less change than this is not made. */
  readonly changeDustSats: bigint;
  readonly amountSats: bigint;
  /** Sats per virtual byte. */
  readonly feeRate: number;
  /** Whether the fee is taken off the amount. */
  readonly feeFromAmount: boolean;
}

/** What the coins hold is paid, change or fee. */
interface Chosen<Coin> {
  readonly coins: readonly Coin[];
  /** 0 or less when the fee eats the amount. */
  readonly paidSats: bigint;
  readonly changeSats: bigint;
  readonly feeSats: bigint;
}

const feeFor = (size: number, feeRate: number): bigint => BigInt(Math.ceil(size * Math.max(feeRate, MIN_FEE_RATE)));

/** What becomes of these coins; null when they do not suffice. */
function share<Coin extends { readonly amountSats: bigint }>(
  coins: readonly Coin[],
  { script, payeeBytes, changeBytes, changeDustSats, amountSats, feeRate, feeFromAmount }: Choice<Coin>,
): Chosen<Coin> | null {
  const held = coins.reduce((sum, coin) => sum + coin.amountSats, 0n);
  const withChange = feeFor(signedSize(script, coins.length, [payeeBytes, changeBytes]), feeRate);
  const change = held - amountSats - (feeFromAmount ? 0n : withChange);
  if (change >= changeDustSats) {
    return { coins, changeSats: change, feeSats: withChange, paidSats: held - change - withChange };
  }
  const least = feeFor(signedSize(script, coins.length, [payeeBytes]), feeRate);
  if (held < amountSats + (feeFromAmount ? 0n : least)) return null;
  // What is too little for change pays the fee before the recipient does.
  const paidSats = held - least < amountSats ? held - least : amountSats;
  return { coins, changeSats: 0n, feeSats: held - paidSats, paidSats };
}

function selectFewest<Coin extends { readonly amountSats: bigint }>(choice: Choice<Coin>): Chosen<Coin> | null {
  for (let count = 1; count <= choice.coins.length; count += 1) {
    const chosen = share(choice.coins.slice(0, count), choice);
    if (chosen !== null) return chosen;
  }
  return null;
}

/**
 * The first coins that suffice, and what becomes of what they hold. Coins that cost more to spend than they hold are taken
 * only when it does not work without them. Null when all of them do not suffice.
 */
export function selectCoins<Coin extends { readonly amountSats: bigint }>(choice: Choice<Coin>): Chosen<Coin> | null {
  const cost = feeFor(Math.ceil(INPUT_WEIGHT[choice.script] / 4), choice.feeRate);
  const worthwhile = choice.coins.filter(({ amountSats }) => amountSats > cost);
  return selectFewest({ ...choice, coins: worthwhile }) ?? selectFewest(choice);
}

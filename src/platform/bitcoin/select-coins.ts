import { computeVirtualSize } from './transaction.ts';
import type { WalletScript } from './wallet-script.ts';

/** Maximum plausible fee rate in sats per virtual byte. */
export const MAX_FEE_RATE = 1000;
/** Minimum relay fee rate. */
const MIN_FEE_RATE = 1;

/** Weight of a signed input: 72 bytes of ECDSA and a key (BIP143), or 64 of Schnorr (BIP341). */
const INPUT_WEIGHT: Readonly<Record<WalletScript, number>> = {
  p2wpkh: 4 * 41 + (1 + 1 + 72 + 1 + 33),
  p2tr: 4 * 41 + (1 + 1 + 64),
};
/** Version, lock time, segwit marker and flag. */
const BASE_WEIGHT = 4 * (4 + 4) + 2;
/** Amount and length prefix of a script shorter than 253 bytes. */
const OUTPUT_BYTES = 8 + 1;

/** Bytes of a CompactSize. */
const countBytes = (count: number): number => (count < 253 ? 1 : 3);

/** Exact virtual size of a signed transaction, unless a signature is shorter. */
function computeSignedSize(script: WalletScript, inputs: number, scriptBytes: readonly number[]): number {
  const outputs = scriptBytes.reduce((sum, bytes) => sum + OUTPUT_BYTES + bytes, 0);
  const counts = countBytes(inputs) + countBytes(scriptBytes.length);
  return computeVirtualSize(BASE_WEIGHT + inputs * INPUT_WEIGHT[script] + 4 * (counts + outputs));
}

interface Choice<Coin> {
  /** In order of preference. */
  readonly coins: readonly Coin[];
  readonly script: WalletScript;
  /** Length of the recipient's script. */
  readonly payeeBytes: number;
  readonly changeBytes: number;
  /** Dust limit of the change output. */
  readonly changeDustSats: bigint;
  readonly amountSats: bigint;
  /** In sats per virtual byte. */
  readonly feeRate: number;
  /** Whether the fee is deducted from the amount. */
  readonly feeFromAmount: boolean;
}

/** How the total of the coins is split. */
interface Chosen<Coin> {
  readonly coins: readonly Coin[];
  /** 0 or less if the fee exceeds the amount. */
  readonly paidSats: bigint;
  readonly changeSats: bigint;
  readonly feeSats: bigint;
}

const computeFee = (size: number, feeRate: number): bigint => BigInt(Math.ceil(size * Math.max(feeRate, MIN_FEE_RATE)));

/** Splits the total of the coins; null if they are insufficient. */
function share<Coin extends { readonly amountSats: bigint }>(
  coins: readonly Coin[],
  { script, payeeBytes, changeBytes, changeDustSats, amountSats, feeRate, feeFromAmount }: Choice<Coin>,
): Chosen<Coin> | null {
  const total = coins.reduce((sum, coin) => sum + coin.amountSats, 0n);
  const withChange = computeFee(computeSignedSize(script, coins.length, [payeeBytes, changeBytes]), feeRate);
  const change = total - amountSats - (feeFromAmount ? 0n : withChange);
  if (change >= changeDustSats) {
    return { coins, changeSats: change, feeSats: withChange, paidSats: total - change - withChange };
  }
  const least = computeFee(computeSignedSize(script, coins.length, [payeeBytes]), feeRate);
  if (total < amountSats + (feeFromAmount ? 0n : least)) return null;
  // Dust change pays the fee first.
  const paidSats = total - least < amountSats ? total - least : amountSats;
  return { coins, changeSats: 0n, feeSats: total - paidSats, paidSats };
}

function selectFewest<Coin extends { readonly amountSats: bigint }>(choice: Choice<Coin>): Chosen<Coin> | null {
  for (let count = 1; count <= choice.coins.length; count += 1) {
    const chosen = share(choice.coins.slice(0, count), choice);
    if (chosen !== null) return chosen;
  }
  return null;
}

/**
 * Selects the first coins that are enough. Uneconomical coins are used only if needed. Null if all
 * are insufficient.
 */
export function selectCoins<Coin extends { readonly amountSats: bigint }>(choice: Choice<Coin>): Chosen<Coin> | null {
  const cost = computeFee(Math.ceil(INPUT_WEIGHT[choice.script] / 4), choice.feeRate);
  const worthwhile = choice.coins.filter(({ amountSats }) => amountSats > cost);
  return selectFewest({ ...choice, coins: worthwhile }) ?? selectFewest(choice);
}

/** The devchain's wallet: one P2WPKH key that receives block rewards and sends payments. */
import { Address, OutScript, p2wpkh, Transaction } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { computeVirtualSize } from '#src/platform/bitcoin/transaction.ts';
import type { ParsedTransaction, TransactionOutput } from '#src/platform/bitcoin/transaction.ts';
import type { ChainState, UnspentOutput } from './chain-state.ts';
import { COINBASE_MATURITY, DEVCHAIN_FEE_RATE } from './regtest-rules.ts';
import { computeDustLimitSats } from './standard-transaction.ts';

const FEE_SATS_PER_VBYTE = BigInt(DEVCHAIN_FEE_RATE);
const REPLACEABLE_SEQUENCE = 0xffff_fffd;
const regtest = getBitcoinNetwork('regtest').addresses;

type Payee = Pick<TransactionOutput, 'amountSats' | 'script'>;

export type PayRefusal = 'bad-address' | 'dust' | 'insufficient-funds';
export type ReplaceRefusal = 'unknown-transaction' | 'already-confirmed' | 'foreign-transaction' | 'insufficient-funds';
export type BumpRefusal = ReplaceRefusal | 'has-descendants';
export type WalletResult<Reason> =
  | { readonly ok: true; readonly raw: Uint8Array }
  | { readonly ok: false; readonly reason: Reason };

/** Virtual bytes of a transaction with P2WPKH inputs, rounded up. */
function computeSize(inputs: number, outputs: readonly Pick<Payee, 'script'>[]): bigint {
  return BigInt(12 + 68 * inputs + outputs.reduce((sum, { script }) => sum + 9 + script.length, 0));
}

const compareAmounts = (a: UnspentOutput, b: UnspentOutput): number => Number(b.amountSats - a.amountSats);

export class DevchainWallet {
  readonly script: Buffer;
  readonly address: string;
  readonly #scriptHex: string;
  readonly #secret: Uint8Array;

  /** @param secret 32 bytes, never logged */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
    const { script, address } = p2wpkh(pubECDSA(secret), regtest);
    if (address === undefined) throw new Error('a P2WPKH script has no address');
    this.script = Buffer.from(script);
    this.#scriptHex = this.script.toString('hex');
    this.address = address;
  }

  /**
   * A signed payment with change. Confirmed coins are spent first, so that payments rarely depend
   * on each other.
   */
  pay(state: ChainState, address: string, amountSats: bigint): WalletResult<PayRefusal> {
    let script: Buffer;
    try {
      script = Buffer.from(OutScript.encode(Address(regtest).decode(address)));
    } catch {
      return { ok: false, reason: 'bad-address' };
    }
    const limit = computeDustLimitSats({ scriptHex: script.toString('hex') });
    if (limit === null) return { ok: false, reason: 'bad-address' };
    if (amountSats < limit) return { ok: false, reason: 'dust' };
    const chosen: UnspentOutput[] = [];
    let sum = 0n;
    for (const coin of this.#listSpendable(state)) {
      chosen.push(coin);
      sum += coin.amountSats;
      const raw = this.#spend(chosen, [{ script, amountSats }], sum, FEE_SATS_PER_VBYTE, 0n);
      if (raw !== null) return { ok: true, raw };
    }
    return { ok: false, reason: 'insufficient-funds' };
  }

  /**
   * Double-spends an unconfirmed payment: same coins, higher fee, everything back to the wallet.
   */
  replace(state: ChainState, txid: string): WalletResult<ReplaceRefusal> {
    return this.#respend(state, txid, []);
  }

  /** The same payment with a higher fee, taken from the change. */
  bumpFee(state: ChainState, txid: string): WalletResult<BumpRefusal> {
    if (state.listWithDescendants([txid]).length > 1) return { ok: false, reason: 'has-descendants' };
    const outputs = state.mempool.get(txid)?.transaction.outputs ?? [];
    const payees = outputs.filter(({ scriptHex }) => scriptHex !== this.#scriptHex);
    return this.#respend(state, txid, payees);
  }

  #respend(state: ChainState, txid: string, payees: readonly Payee[]): WalletResult<ReplaceRefusal> {
    const entry = state.findTransaction(txid);
    if (entry === undefined) return { ok: false, reason: 'unknown-transaction' };
    if (entry.block !== null) return { ok: false, reason: 'already-confirmed' };
    const coins = this.#listOwnInputs(state, entry.transaction);
    if (coins === null) return { ok: false, reason: 'foreign-transaction' };
    const sum = coins.reduce((total, coin) => total + coin.amountSats, 0n);
    // Pays for all dropped descendants, and exceeds the fee rate of what it replaces.
    const leaving = state.listWithDescendants([txid]).map((id) => state.mempool.get(id)?.feeSats ?? 0n);
    const rate = entry.feeSats / BigInt(computeVirtualSize(entry.transaction.weight)) + FEE_SATS_PER_VBYTE;
    const raw = this.#spend(
      coins,
      payees,
      sum,
      rate,
      leaving.reduce((total, fee) => total + fee, 0n),
    );
    return raw === null ? { ok: false, reason: 'insufficient-funds' } : { ok: true, raw };
  }

  #listOwnInputs(state: ChainState, transaction: ParsedTransaction): UnspentOutput[] | null {
    const coins: UnspentOutput[] = [];
    for (const input of transaction.inputs) {
      const coin = state.findOutput(input);
      if (coin === undefined || !coin.script.equals(this.script)) return null;
      coins.push(coin);
    }
    return coins;
  }

  #listSpendable(state: ChainState): UnspentOutput[] {
    const nextHeight = state.tip.height + 1;
    const isMature = ({ isCoinbase, block }: UnspentOutput): boolean =>
      !isCoinbase || (block !== null && nextHeight - block.height >= COINBASE_MATURITY);
    const coins = state.listUnspent(this.#scriptHex).filter(isMature);
    return [
      ...coins.filter(({ block }) => block !== null).toSorted(compareAmounts),
      ...coins.filter(({ block }) => block === null).toSorted(compareAmounts),
    ];
  }

  /** Null if the coins do not suffice. @param baseFeeSats added to rate times size */
  #spend(
    coins: readonly UnspentOutput[],
    payees: readonly Payee[],
    sumSats: bigint,
    satsPerVbyte: bigint,
    baseFeeSats: bigint,
  ): Uint8Array | null {
    const change = { script: this.script };
    const afterPayees = payees.reduce((left, { amountSats }) => left - amountSats, sumSats);
    const changeSats = afterPayees - baseFeeSats - computeSize(coins.length, [...payees, change]) * satsPerVbyte;
    const keepsChange = changeSats >= (computeDustLimitSats({ scriptHex: this.#scriptHex }) ?? 0n);
    if (!keepsChange) {
      const withoutChange = afterPayees - baseFeeSats - computeSize(coins.length, payees) * satsPerVbyte;
      if (withoutChange < 0n || payees.length === 0) return null;
    }
    const transaction = new Transaction();
    for (const { txid, vout, script, amountSats } of coins) {
      const witnessUtxo = { script, amount: amountSats };
      transaction.addInput({ txid, index: vout, witnessUtxo, sequence: REPLACEABLE_SEQUENCE });
    }
    for (const { script, amountSats } of payees) transaction.addOutput({ script, amount: amountSats });
    if (keepsChange) transaction.addOutput({ script: this.script, amount: changeSats });
    transaction.sign(this.#secret);
    transaction.finalize();
    return transaction.extract();
  }
}

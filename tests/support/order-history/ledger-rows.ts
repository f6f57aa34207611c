/**
 * The ledger of one order after a pass. Read from the simulated chain; `tests/ledger-
 * simulations.test.ts` proves that chain sync stores the same.
 */
import { sats } from '#src/shop/money.ts';
import type { LedgerOutput } from '#src/shop/payments/ledger/payment-state.ts';
import type { SimulatedChain } from '../simulated-chain.ts';

export interface Row extends LedgerOutput {
  readonly script: string;
  readonly spends: readonly string[];
}

export interface LedgerReading {
  readonly now: Date;
  /** Time of the last complete pass; null before the first. */
  readonly reconciledAt: Date | null;
  /** Whether the source reports arrival times of mempool transactions. */
  readonly knowsArrival: boolean;
  /** Transactions with a low fee. */
  readonly lowFees: ReadonlySet<string>;
}

const LOW_FEE = 1000n;
const USUAL_FEE = 20_000n;
/** Fee rate for a confirmation within a day. */
export const DAY_FEE = 5000n;

export class LedgerRows {
  readonly rows = new Map<string, Row>();
  tip: { readonly height: number } | null = null;
  readonly #chain: SimulatedChain;

  constructor(chain: SimulatedChain) {
    this.#chain = chain;
  }

  /** Copies the outputs of these scripts from the chain. */
  read(scripts: ReadonlySet<string>, read: LedgerReading): void {
    const chain = this.#chain;
    this.tip = { height: chain.height };
    for (const { txid, inputs, outputs, isCoinbase } of chain.all) {
      for (const [vout, { script, amount }] of outputs.entries()) {
        if (!scripts.has(script)) continue;
        const key = `${txid}:${vout}`;
        const known = this.rows.get(key);
        if (chain.isActive(txid)) {
          const height = chain.findHeight(txid);
          const arrival = known ?? this.#findArrival(txid, height, read);
          const row: Row = {
            script,
            spends: inputs,
            txid,
            vout,
            amountSats: sats(amount),
            isCoinbase,
            isLive: true,
            height,
            firstSeen: arrival.firstSeen,
            arrivedAfter: arrival.arrivedAfter ?? null,
            confirmedAt: known?.confirmedAt ?? (height === null ? null : read.now),
            feePerKvb: read.lowFees.has(txid) ? LOW_FEE : USUAL_FEE,
            leftBecause: null,
            leftAt: null,
            conflictHeight: null,
          };
          this.rows.set(key, row);
        } else if (known !== undefined) {
          const conflictHeight = isCoinbase ? null : this.#findConflictHeight(txid);
          const leftBecause = isCoinbase || !this.#isConflicted(txid) ? 'dropped' : 'replaced';
          this.rows.set(key, {
            ...known,
            isLive: false,
            height: null,
            leftBecause: known.isLive ? leftBecause : known.leftBecause,
            leftAt: known.isLive ? read.now : known.leftAt,
            conflictHeight,
          });
        }
      }
    }
  }

  #findArrival(
    txid: string,
    height: number | null,
    read: LedgerReading,
  ): Pick<LedgerOutput, 'firstSeen' | 'arrivedAfter'> {
    const born = this.#chain.bornAt.get(txid);
    if (height === null && read.knowsArrival && born !== undefined)
      return { firstSeen: new Date(Math.min(born, read.now.getTime())), arrivedAfter: null };
    const { now, reconciledAt } = read;
    return { firstSeen: now, arrivedAfter: reconciledAt !== null && reconciledAt < now ? reconciledAt : null };
  }

  #listAncestry(txid: string): readonly string[] {
    return [txid, ...this.#chain.listAncestors(txid).filter((parent) => !this.#chain.isActive(parent))];
  }

  #isConflicted(txid: string): boolean {
    return this.#listAncestry(txid).some((one) => this.#chain.isConflicted(one));
  }

  /** Height of the lowest block with a conflict of the transaction or an ancestor. */
  #findConflictHeight(txid: string): number | null {
    const heights = this.#listAncestry(txid).flatMap((one) => this.#chain.findConflictHeight(one) ?? []);
    return heights.length === 0 ? null : Math.min(...heights);
  }
}

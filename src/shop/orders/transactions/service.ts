/** OPS-25: transaction look-up for staff. */
import type { z } from 'zod';
import { encodeAddress } from '#src/platform/bitcoin/address.ts';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import type { FoundTransaction } from '#src/platform/bitcoin/chain-source.ts';
import type { BitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { Db } from '#src/platform/database/database.ts';
import { sats } from '#src/shop/money.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';
import { countConfirmations } from '#src/shop/payments/ledger/payment-state.ts';
import type { Payments } from '#src/shop/payments/service.ts';
import * as store from './store.ts';
import type { PaymentRow } from './store.ts';
import type { transactionsApi } from './contract.ts';
import { judgePayment } from './payment-verdict.ts';

export interface TransactionsOptions {
  readonly db: Db;
  readonly payments: Pick<Payments, 'findTransaction'>;
  readonly network: BitcoinNetwork;
  readonly shopSettings: OrderNumbers;
}

type LookedUp = z.output<(typeof transactionsApi)['GET /payments/transactions/{txid}']['response']>;
type OnNetwork = LookedUp['network'];

/** Maximum of listed outputs that pay other addresses. */
const OTHERS_LISTED = 20;

export class Transactions {
  readonly #options: TransactionsOptions;

  constructor(options: TransactionsOptions) {
    this.#options = options;
  }

  /** The orders and refunds of a transaction, and its state according to the chain source. */
  async lookUp(txid: string): Promise<LookedUp> {
    const { db, shopSettings } = this.#options;
    const [rows, refunds, found] = await Promise.all([
      store.listPayments(db, txid),
      store.listRefunds(db, txid),
      this.#findTransaction(txid),
    ]);
    return {
      txid,
      network: found.network,
      payments: rows.map((row) => showPayment(row, shopSettings.formatOrderNumber(row.number))),
      refunds: refunds.map(({ number, amount_btc: amount, ...refund }) => ({
        ...refund,
        number: shopSettings.formatOrderNumber(number),
        amount_btc: sats(amount),
      })),
      ...(await this.#readOthers(found.outputs, new Set(rows.map(({ vout }) => vout)))),
    };
  }

  async #findTransaction(
    txid: string,
  ): Promise<{ readonly network: OnNetwork; readonly outputs: FoundTransaction['outputs'] }> {
    const nowhere = { confirmations: 0, height: null, is_complete: false };
    try {
      const found = await this.#options.payments.findTransaction(txid);
      if (found === null) return { network: { state: 'unknown', ...nowhere }, outputs: [] };
      const { confirmations, height, isComplete, outputs } = found;
      const state = height === null ? 'mempool' : 'block';
      return { network: { state, confirmations, height, is_complete: isComplete }, outputs };
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
      return { network: { state: 'unreachable', ...nowhere }, outputs: [] };
    }
  }

  /** Outputs that are not payments in the ledger. Those to addresses of the shop come first. */
  async #readOthers(
    outputs: FoundTransaction['outputs'],
    known: ReadonlySet<number>,
  ): Promise<Pick<LookedUp, 'others' | 'others_total'>> {
    const { db, network, shopSettings } = this.#options;
    const others = outputs.filter(({ vout }) => !known.has(vout));
    const orders = await store.findOrdersByScript(
      db,
      others.map(({ scriptHex }) => scriptHex),
    );
    const listed = others
      .toSorted((a, b) => Number(orders.has(b.scriptHex)) - Number(orders.has(a.scriptHex)) || a.vout - b.vout)
      .slice(0, OTHERS_LISTED);
    return {
      others_total: others.length,
      others: listed.map(({ vout, amountSats, scriptHex }) => {
        const order = orders.get(scriptHex);
        return {
          vout,
          amount_btc: sats(amountSats),
          address: encodeAddress(Buffer.from(scriptHex, 'hex'), network),
          order: order === undefined ? null : { id: order.id, number: shopSettings.formatOrderNumber(order.number) },
        };
      }),
    };
  }
}

function showPayment(row: PaymentRow, number: string): LookedUp['payments'][number] {
  const tip = row.tip === null ? null : { height: row.tip };
  return {
    order_id: row.order_id,
    number,
    username: row.username,
    payment_status: row.payment_status,
    vout: row.vout,
    amount_btc: row.amountSats,
    verdict: judgePayment(row, row, tip),
    confirmations: countConfirmations(row, tip),
    required_confirmations: row.required_confirmations,
    height: row.height,
    first_seen: row.firstSeen,
    left_at: row.leftAt,
  };
}

/** The personal data of a user's refunds: the refund addresses. */
import type { Db } from '#src/platform/database/database.ts';
import type { OrderNumbers } from '#src/shop/shop-settings/service.ts';
import * as addresses from './addresses/store.ts';
import { presentRefund } from './notices.service.ts';
import * as store from './personal-data.store.ts';
import type { RefundSummaryRow } from './personal-data.store.ts';
import { listRefunds } from './store.ts';

export class RefundPersonalData {
  readonly #db: Db;
  readonly #orderNumbers: OrderNumbers;

  constructor({ db, shopSettings }: { readonly db: Db; readonly shopSettings: OrderNumbers }) {
    this.#db = db;
    this.#orderNumbers = shopSettings;
  }

  /** The refund address and the refunds of one order. */
  async exportPersonalData(orderId: string) {
    const address = await addresses.findAddress(this.#db, orderId);
    const refunds = await listRefunds(this.#db, orderId);
    return {
      refund_address: address?.address ?? null,
      refund_address_confirmed: (address?.confirmedAt ?? null) !== null,
      refunds: refunds.map((refund) => presentRefund(refund, this.#orderNumbers)),
    };
  }

  /** What was refunded of locked orders, and whether a refund is under way. */
  async summariseForErasure(tx: Db, orderIds: readonly string[]): Promise<ReadonlyMap<string, RefundSummaryRow>> {
    const rows = await store.summariseOrders(tx, orderIds);
    return new Map(rows.map((row) => [row.orderId, row]));
  }

  /** Deletes confirmation links, and refund addresses of locked orders of which nothing is left to refund. */
  async erasePersonalData(tx: Db, orderIds: readonly string[]): Promise<void> {
    await addresses.deleteConfirmations(tx, orderIds);
    await addresses.deleteUnneededAddresses(tx, orderIds);
  }
}

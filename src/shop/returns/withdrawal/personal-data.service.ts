/** The personal data of statements of withdrawal, and how long those are kept that name no order. */
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import * as store from './store.ts';

const DAY_MS = 86_400_000;
/** Statements that name no order of the shop: long enough for a buyer who asks where the acknowledgement is. */
const NOT_FOUND_DAYS = 30;

export class WithdrawalPersonalData {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor({ clock, db }: { readonly db: Db; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Statements about one order, oldest first. */
  async exportPersonalData(orderId: string) {
    const statements = await store.listStatementsOfOrder(this.#db, orderId);
    return {
      withdrawals: statements.map((one) => ({
        reference: one.reference,
        stated_at: one.statedAt,
        name: one.name,
        acknowledgement_email: one.acknowledgementEmail,
        reason: one.reason,
        statement: one.statement,
        result: one.result,
      })),
    };
  }

  /** The orders among these with a return that is not closed. */
  listWithOpenReturn(tx: Db, orderIds: readonly string[]): Promise<readonly string[]> {
    return store.listWithOpenReturn(tx, orderIds);
  }

  /** The orders among these of whose exchange credit something has to be refunded. */
  listWithOwedCredit(tx: Db, orderIds: readonly string[]): Promise<readonly string[]> {
    return store.listWithOwedCredit(tx, orderIds);
  }

  /**
   * Removes who stated what from the statements about locked orders; that they were made, and when, stays. Deletes
   * statements without an order that name one of these addresses.
   */
  async erasePersonalData(tx: Db, orderIds: readonly string[], addresses: readonly string[]): Promise<void> {
    await store.eraseStatements(tx, orderIds, this.#clock.now());
    await store.deleteNotFoundOf(tx, addresses);
  }

  /** Deletes statements that name no order. Called periodically. */
  async deleteOld(): Promise<void> {
    await store.deleteNotFound(this.#db, new Date(this.#clock.now().getTime() - NOT_FOUND_DAYS * DAY_MS));
  }
}

/**
 * Mails to customers who asked for a sold-out variant. An open alert whose variant can be ordered is due, whatever
 * made it available, so checkout and stock know nothing of alerts.
 */
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Mails, MailToEnqueue } from '#src/platform/mail/mails.ts';
import * as store from './store.ts';

export const BACK_IN_STOCK_MAIL = 'back-in-stock';
const BATCH_SIZE = 100;
/** A mail that could not be sent for a day would be wrong by then. Until then its alert counts for the limit. */
const CLAIM_MS = 24 * 3_600_000;

interface AlertedVariant {
  readonly productId: string;
  readonly valueIds: readonly string[];
  /** Name of the product with the values. */
  readonly name: string;
  readonly slug: string;
}

export interface StockAlertsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly mails: Pick<Mails<typeof BACK_IN_STOCK_MAIL>, 'enqueue'>;
  /** Id of the variant with exactly these values; null if it is not on sale. */
  readonly findVariantId: (productId: string, valueIds: readonly string[]) => Promise<string | null>;
  /** Those of these variants that exist, by id. */
  readonly describeVariants: (ids: readonly string[]) => Promise<ReadonlyMap<string, AlertedVariant>>;
  readonly hasConfirmedAddress: (userId: string) => Promise<boolean>;
}

export interface Alert {
  readonly id: string;
  readonly product_id: string;
  readonly property_value_ids: string[];
  readonly created_at: Date;
}

export type AlertResult =
  | { readonly ok: true; readonly alert: Alert }
  | { readonly ok: false; readonly reason: 'not-found' | 'in-stock' | 'email-unconfirmed' | 'too-many' };

export interface BackInStockMail extends AlertedVariant {
  readonly userId: string;
}

export class StockAlerts {
  readonly #options: StockAlertsOptions;

  constructor(options: StockAlertsOptions) {
    this.#options = options;
  }

  /** Requests a mail for the caller. Idempotent. */
  async open(userId: string, productId: string, valueIds: readonly string[]): Promise<AlertResult> {
    const { clock, db, findVariantId, hasConfirmedAddress } = this.#options;
    const sorted = [...new Set(valueIds.map((id) => id.toLowerCase()))].toSorted();
    const variantId = await findVariantId(productId, sorted);
    const orderability = variantId && (await store.readOrderability(db, variantId));
    if (variantId === null || orderability === null) return { ok: false, reason: 'not-found' };
    if (orderability === 'in-stock') return { ok: false, reason: 'in-stock' };
    // Anyone can register an address of somebody else.
    if (!(await hasConfirmedAddress(userId))) return { ok: false, reason: 'email-unconfirmed' };
    return transact(db, async (tx): Promise<AlertResult> => {
      if (!(await store.lockUser(tx, userId))) return { ok: false, reason: 'not-found' };
      const opened = await store.openAlert(tx, { id: uuidv7(), userId, variantId, createdAt: clock.now() });
      if (opened === null) return { ok: false, reason: 'too-many' };
      const { id, createdAt } = opened;
      return { ok: true, alert: { id, product_id: productId, property_value_ids: sorted, created_at: createdAt } };
    });
  }

  /** False if the caller has no such alert. */
  withdraw(userId: string, id: string): Promise<boolean> {
    return store.deleteAlert(this.#options.db, userId, id);
  }

  /** Open alerts of a user, newest first. */
  async list(userId: string): Promise<Alert[]> {
    const alerts = await store.listAlerts(this.#options.db, userId);
    const variants = await this.#options.describeVariants(alerts.map(({ variantId }) => variantId));
    return alerts.flatMap(({ id, variantId, createdAt }) => {
      const variant = variants.get(variantId);
      if (variant === undefined) return [];
      const { productId, valueIds } = variant;
      return [{ id, product_id: productId, property_value_ids: [...valueIds], created_at: createdAt }];
    });
  }

  /** Claims the next due alerts and enqueues their mails in one transaction. Returns whether more may be due. */
  relayNext(): Promise<boolean> {
    const { clock, db, mails } = this.#options;
    return transact(db, async (tx) => {
      const claimed = await store.claimAlerts(tx, clock.now(), BATCH_SIZE);
      const due = claimed.map(({ id, attempt }): MailToEnqueue<typeof BACK_IN_STOCK_MAIL> => ({
        kind: BACK_IN_STOCK_MAIL,
        event: `${BACK_IN_STOCK_MAIL}.${id}.${attempt}`,
        data: { id, attempt: String(attempt) },
      }));
      if (due.length > 0) await mails.enqueue(tx, due);
      return claimed.length === BATCH_SIZE;
    });
  }

  /** What the mail says. Null if it is no longer true; the alert then waits for the next time. */
  async readMail(id: string, attempt: number): Promise<BackInStockMail | null> {
    const { db, describeVariants } = this.#options;
    const claimed = await store.findClaimed(db, id, attempt);
    if (claimed === null) return null;
    const { userId, variantId } = claimed;
    const [orderability, variants] = await Promise.all([
      store.readOrderability(db, variantId),
      describeVariants([variantId]),
    ]);
    const variant = variants.get(variantId);
    if (orderability === 'in-stock' && variant !== undefined) return { ...variant, userId };
    await store.reopenAlert(db, id, attempt);
    return null;
  }

  /** Deletes alerts that were mailed. */
  async deleteOld(): Promise<void> {
    const { clock, db } = this.#options;
    await store.deleteClaimedBefore(db, new Date(clock.now().getTime() - CLAIM_MS));
  }

  /** In the caller's transaction. */
  erasePersonalData(tx: Db, userId: string): Promise<void> {
    return store.deleteAlertsOf(tx, userId);
  }
}

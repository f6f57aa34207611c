/** Tools to try the demo shop: pay, mine, replace, reorganize, move the clock, and read its mails. */
import type { DemoAccount } from './devchain/demo-account.ts';
import type { Devchain } from './devchain/devchain.ts';
import { findMail, listMails } from './store.ts';
import type { StoredMail } from './store.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { AdjustableClock } from '#src/platform/process/clock.ts';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';

const MAILBOX_LIMIT = 100;

interface AmountDue {
  readonly address: string;
  readonly missingSats: Sats;
}

export interface DemoToolsOptions {
  /** Null with another chain source. Paying, mining and reorganizing are then refused as not found. */
  readonly devchain: Devchain | null;
  readonly clock: AdjustableClock;
  /** Null with an account whose key the demo shop does not have. */
  readonly account: Pick<DemoAccount, 'sign'> | null;
  /** The open amount of any user's order; null if there is no such order. */
  readonly findAmountDue: (orderId: string) => Promise<AmountDue | null>;
  /** The unsigned transaction of a refund that is not sent; null if there is none. */
  readonly findRefundPsbt: (refundId: string) => Promise<Uint8Array | null>;
  /** Resolves after a whole chain sync. */
  readonly syncChain: () => Promise<void>;
  readonly mailbox: Pick<Mailbox, 'list'>;
}

export type DemoResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

const NO_DEVCHAIN = { ok: false, reason: 'not-found' } as const;

/** The mails that the demo shop stored with their content. */
export class Mailbox {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Newest first. @param to address without regard to case; null for all addresses */
  async list(to: string | null): Promise<StoredMail[]> {
    return listMails(this.#db, to, MAILBOX_LIMIT);
  }

  async find(id: bigint): Promise<StoredMail | null> {
    return findMail(this.#db, id);
  }
}

export class DemoTools {
  readonly #options: DemoToolsOptions;

  constructor(options: DemoToolsOptions) {
    this.#options = options;
  }

  /** @param amountSats undefined pays the missing amount */
  async pay(orderId: string, amountSats: Sats | undefined): Promise<DemoResult<string>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const due = await this.#options.findAmountDue(orderId);
    if (!due) return { ok: false, reason: 'not-found' };
    const amount = amountSats ?? due.missingSats;
    if (amount === sats(0n)) return { ok: false, reason: 'nothing-missing' };
    const payment = await devchain.pay(due.address, amount);
    return payment.ok ? this.#returnAfterSync(payment.txid) : payment;
  }

  async mine(blocks: number): Promise<DemoResult<number>> {
    const { devchain } = this.#options;
    return devchain === null ? NO_DEVCHAIN : this.#returnAfterSync(await devchain.mine(blocks));
  }

  async replace(txid: string): Promise<DemoResult<string>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const replacement = await devchain.replace(txid);
    return replacement.ok ? this.#returnAfterSync(replacement.txid) : replacement;
  }

  async reorganise(depth: number): Promise<DemoResult<number>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const reorganization = await devchain.reorganise(depth);
    return reorganization.ok ? this.#returnAfterSync(reorganization.height) : reorganization;
  }

  /** Signs with the key of the shop's account. Staff hand the result in, as they do with another wallet. */
  async signRefund(refundId: string): Promise<DemoResult<Uint8Array>> {
    const psbt = await this.#options.findRefundPsbt(refundId);
    if (psbt === null) return { ok: false, reason: 'not-found' };
    const signed = this.#options.account?.sign(psbt) ?? null;
    return signed === null ? { ok: false, reason: 'foreign-account' } : { ok: true, value: signed };
  }

  async moveClock(seconds: number): Promise<Date> {
    this.#options.clock.setOffset(seconds);
    // Expires the orders that are due at the new time. Nothing expires while the chain source is down.
    await this.#options.syncChain().catch(() => {});
    return this.#options.clock.now();
  }

  /** Newest first. @param to undefined lists mails to all addresses */
  async listMails(to: string | undefined) {
    const mails = await this.#options.mailbox.list(to?.trim() ?? null);
    return mails.map(({ id, to: recipient, subject, text, html, at, attachmentNames }) => ({
      id: String(id),
      to: recipient,
      subject,
      text,
      html,
      attachments: attachmentNames,
      created_at: at,
    }));
  }

  /** Returns after a chain sync, so that the caller's next request sees the effect. */
  async #returnAfterSync<Value>(value: Value): Promise<DemoResult<Value>> {
    await this.#options.syncChain();
    return { ok: true, value };
  }
}

/** Trying the demo shop out: paying, mining, replacing, reorganising, and moving the clock. */
import type { Devchain } from './devchain/devchain.ts';
import type { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import { sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';

interface Due {
  readonly address: string;
  readonly missingSats: Sats;
}

export interface DeveloperOptions {
  /** Null when payments come from another chain: then nobody here can pay, mine or reorganise. */
  readonly devchain: Devchain | null;
  readonly clock: AdjustableClock;
  /** What an order, whosoever, still has to be paid; null if there is none. */
  readonly dueOf: (orderId: string) => Promise<Due | null>;
  /** Makes the shop look at the chain now; resolves when it has. */
  readonly lookAtChain: () => Promise<void>;
  readonly mailbox: Pick<Mails, 'list'>;
}

export type Done<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

const NO_DEVCHAIN = { ok: false, reason: 'not-found' } as const;

export class Developer {
  readonly #options: DeveloperOptions;

  constructor(options: DeveloperOptions) {
    this.#options = options;
  }

  /** @param amountSats left out: exactly what is missing */
  async pay(orderId: string, amountSats: Sats | undefined): Promise<Done<string>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const due = await this.#options.dueOf(orderId);
    if (!due) return { ok: false, reason: 'not-found' };
    const amount = amountSats ?? due.missingSats;
    if (amount === sats(0n)) return { ok: false, reason: 'nothing-missing' };
    const sent = await devchain.pay(due.address, amount);
    return sent.ok ? this.#seen(sent.txid) : sent;
  }

  async mine(blocks: number): Promise<Done<number>> {
    const { devchain } = this.#options;
    return devchain === null ? NO_DEVCHAIN : this.#seen(await devchain.mine(blocks));
  }

  async replace(txid: string): Promise<Done<string>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const sent = await devchain.replace(txid);
    return sent.ok ? this.#seen(sent.txid) : sent;
  }

  async reorg(depth: number): Promise<Done<number>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const done = await devchain.reorg(depth);
    return done.ok ? this.#seen(done.height) : done;
  }

  async moveClock(seconds: number): Promise<Date> {
    this.#options.clock.setOffset(seconds);
    // What is due by the new time expires now, as it would have by waiting; while the chain is away nothing does.
    await this.#options.lookAtChain().catch(() => {});
    return this.#options.clock.now();
  }

  /** The mailbox, newest first. @param to whose; left out: everybody's */
  async mails(to: string | undefined) {
    const mails = await this.#options.mailbox.list(to?.trim() ?? null);
    return mails.map(({ id, to: recipient, subject, text, html, at }) => ({
      id: String(id),
      to: recipient,
      subject,
      text,
      html,
      created_at: at,
    }));
  }

  /** The answer is given when the shop knows of what was done, so that the next question finds it. */
  async #seen<Value>(value: Value): Promise<Done<Value>> {
    await this.#options.lookAtChain();
    return { ok: true, value };
  }
}

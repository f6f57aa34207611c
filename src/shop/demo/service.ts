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

export interface DemoToolsOptions {
  /** Null when payments come from another chain: then nobody here can pay, mine or reorganise. */
  readonly devchain: Devchain | null;
  readonly clock: AdjustableClock;
  /** What an order, whosoever, still has to be paid; null if there is none. */
  readonly findAmountDue: (orderId: string) => Promise<Due | null>;
  /** Makes the shop look at the chain now; resolves when it has. */
  readonly lookAtChain: () => Promise<void>;
  readonly mailbox: Pick<Mails, 'list'>;
}

export type DemoResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

const NO_DEVCHAIN = { ok: false, reason: 'not-found' } as const;

export class DemoTools {
  readonly #options: DemoToolsOptions;

  constructor(options: DemoToolsOptions) {
    this.#options = options;
  }

  /** @param amountSats left out: exactly what is missing */
  async pay(orderId: string, amountSats: Sats | undefined): Promise<DemoResult<string>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const due = await this.#options.findAmountDue(orderId);
    if (!due) return { ok: false, reason: 'not-found' };
    const amount = amountSats ?? due.missingSats;
    if (amount === sats(0n)) return { ok: false, reason: 'nothing-missing' };
    const sent = await devchain.pay(due.address, amount);
    return sent.ok ? this.#answerAfterSync(sent.txid) : sent;
  }

  async mine(blocks: number): Promise<DemoResult<number>> {
    const { devchain } = this.#options;
    return devchain === null ? NO_DEVCHAIN : this.#answerAfterSync(await devchain.mine(blocks));
  }

  async replace(txid: string): Promise<DemoResult<string>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const sent = await devchain.replace(txid);
    return sent.ok ? this.#answerAfterSync(sent.txid) : sent;
  }

  async reorg(depth: number): Promise<DemoResult<number>> {
    const { devchain } = this.#options;
    if (devchain === null) return NO_DEVCHAIN;
    const done = await devchain.reorg(depth);
    return done.ok ? this.#answerAfterSync(done.height) : done;
  }

  async moveClock(seconds: number): Promise<Date> {
    this.#options.clock.setOffset(seconds);
    // What is due by the new time expires now, as it would have by waiting; while the chain is away nothing does.
    await this.#options.lookAtChain().catch(() => {});
    return this.#options.clock.now();
  }

  /** The mailbox, newest first. @param to whose; left out: everybody's */
  async listMails(to: string | undefined) {
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
  async #answerAfterSync<Value>(value: Value): Promise<DemoResult<Value>> {
    await this.#options.lookAtChain();
    return { ok: true, value };
  }
}

/** What staff do with statements of withdrawal that name no order of the shop: they may be mistyped, but they are binding. */
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { toRowRange } from '#src/shop/list-pages.ts';
import * as store from './unmatched.store.ts';
import type { UnmatchedRow } from './unmatched.store.ts';

const show = (row: UnmatchedRow) => ({
  id: row.id,
  reference: row.reference,
  stated_at: row.statedAt,
  name: row.name,
  order_number: row.orderNumber,
  order_email: row.orderEmail,
  acknowledgement_email: row.acknowledgementEmail,
  statement: row.statement,
  answered_at: row.answeredAt,
});

export class UnmatchedWithdrawals {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor({ clock, db }: { readonly db: Db; readonly clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  async list({ page = 1, view = 'open' }: { readonly page?: number | undefined; readonly view?: string | undefined }) {
    const { hasMore, rows, total } = await store.listUnmatched(this.#db, {
      isAnswered: view === 'answered',
      ...toRowRange(page),
    });
    return { withdrawals: rows.map(show), total, has_more: hasMore, page };
  }

  /** Those that nobody has answered. */
  countOpen(): Promise<number> {
    return store.countUnanswered(this.#db);
  }

  /** One that nobody has answered; null if there is none. */
  async findOpen(id: string) {
    const row = await store.findUnmatched(this.#db, id);
    return row === null || row.answeredAt !== null ? null : show(row);
  }

  /** Records that staff answered the buyer, once. */
  async answer(id: string, by: StaffActor) {
    const at = this.#clock.now();
    return transact(this.#db, async (tx) => {
      const isMarked = await store.markAnswered(tx, id, at);
      const row = await store.findUnmatched(tx, id);
      if (row === null) return createNotFound();
      if (!isMarked) return ANSWERED;
      await recordChange(tx, {
        at,
        by,
        action: 'withdrawal.answered',
        subject: { kind: 'withdrawal', id, name: row.reference },
        before: { answered: false },
        after: { answered: true },
      });
      return { withdrawal: show(row) };
    });
  }
}

const ANSWERED = new Refusal(409, 'answered-meanwhile', 'This statement was answered meanwhile');

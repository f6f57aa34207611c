/** The national currency of invoices, and its rates by day. */
import { createNotFound, Refusal } from '#src/platform/http/call.ts';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { recordChange } from '#src/shop/audit-log/service.ts';
import { changeDocument } from '#src/shop/editing/service.ts';
import { isEcbFailure } from './ecb-file.ts';
import { findNewestDay, listEcbRates, readFetches, requestFetch } from './ecb.store.ts';
import { toNationalRate } from './national-rate.service.ts';
import { formatRate, parseRate } from './national-tax.ts';
import type { TypedRate } from './parse-rates.ts';
import * as store from './store.ts';
import type { CurrencySettings, StoredRate } from './store.ts';

export interface NationalCurrencyOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly waiting: WaitingDocuments;
}

interface WaitingDocuments {
  /** The orders whose documents wait for a rate: how many, the first of them, and the first days that are missing. */
  readonly listWaiting: () => Promise<{
    readonly total: number;
    readonly days: readonly string[];
    readonly orders: readonly { readonly id: string; readonly number: string }[];
  }>;
  /** Called in a transaction after which they may be issued. */
  readonly wakeWaiting: (tx: Db) => Promise<void>;
}

const MAX_SHOWN_RATES = 100;
const NO_CURRENCY = new Refusal(409, 'no-currency', 'Choose the currency of invoices first');

const showRate = ({ day, rateE8, source }: StoredRate) => ({ day, rate: formatRate(rateE8), source });

export class NationalCurrencies {
  readonly #options: NationalCurrencyOptions;

  constructor(options: NationalCurrencyOptions) {
    this.#options = options;
  }

  /** The setting with its newest rates, and the orders whose documents wait for one. */
  async read() {
    const { db, waiting } = this.#options;
    const settings = await store.readSettings(db);
    const [rates, ecb, { days, orders, total }] = await Promise.all([
      this.#listRates(settings),
      settings.rates_from === 'ecb' ? this.#readEcb(settings) : null,
      waiting.listWaiting(),
    ]);
    return {
      ...settings,
      rates: rates.map(showRate),
      ecb,
      waiting: { total, days: [...days], orders: [...orders] },
    };
  }

  async #listRates({ currency, rates_from: from }: CurrencySettings): Promise<readonly StoredRate[]> {
    const { db } = this.#options;
    if (from === 'table') return store.listRates(db, currency, MAX_SHOWN_RATES);
    return (await listEcbRates(db, currency, MAX_SHOWN_RATES)).map((rate) => toNationalRate(currency, rate));
  }

  async #readEcb({ currency }: CurrencySettings) {
    const { db } = this.#options;
    const { checkedAt, failure, failures, nextAt } = await readFetches(db);
    return {
      newest_day: await findNewestDay(db, currency),
      checked_at: checkedAt,
      failures,
      failure: isEcbFailure(failure) ? failure : null,
      next_at: nextAt,
    };
  }

  change({ version, ...to }: CurrencySettings, by: Actor): Promise<CurrencySettings | Refusal> {
    return changeDocument(this.#options, {
      by,
      version,
      what: 'the currency of invoices',
      subject: { kind: 'settings', id: 'national_currency' },
      lock: store.lockSettings,
      write: async (tx, { version: present, ...before }) => {
        const saved = { ...to, version: present + 1 };
        await store.updateSettings(tx, saved);
        const isOther = to.currency !== before.currency || to.rates_from !== before.rates_from;
        if (to.rates_from === 'ecb' && isOther) await requestFetch(tx);
        await this.#options.waiting.wakeWaiting(tx);
        return { saved, recorded: { action: 'settings.national_currency_edited', before, after: to } };
      },
    });
  }

  /** Stores rates of the present currency; those of the same days are replaced. Issued documents stay. */
  setRates(typed: readonly TypedRate[], source: string, by: Actor): Promise<Refusal | null> {
    const { clock, db } = this.#options;
    const rates = typed.map(({ day, rate }) => ({ day, source, rateE8: parseRate(rate) ?? 0n }));
    return transact(db, async (tx) => {
      const { currency } = await store.lockSettings(tx);
      if (currency === '') return NO_CURRENCY;
      const now = clock.now();
      const before = await store.writeRates(tx, currency, rates, now);
      await this.#options.waiting.wakeWaiting(tx);
      await recordChange(tx, {
        at: now,
        by,
        action: 'settings.national_rates_edited',
        subject: { kind: 'settings', id: 'national_rates' },
        before: { currency, rates: before.map(showRate) },
        after: { currency, rates: rates.map(showRate) },
      });
      return null;
    });
  }

  /** Removes the rate of a day. Issued documents stay. */
  removeRate(day: string, by: Actor): Promise<Refusal | null> {
    const { clock, db } = this.#options;
    return transact(db, async (tx) => {
      const { currency } = await store.lockSettings(tx);
      const removed = await store.deleteRate(tx, currency, day);
      if (removed === null) return createNotFound();
      await recordChange(tx, {
        at: clock.now(),
        by,
        action: 'settings.national_rate_deleted',
        subject: { kind: 'settings', id: 'national_rates' },
        before: { currency, rates: [showRate(removed)] },
        after: { currency, rates: [] },
      });
      return null;
    });
  }
}

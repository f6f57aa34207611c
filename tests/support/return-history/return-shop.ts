/** A small shop with returns in PostgreSQL: its real services, a clock and a ledger that a test controls. */
import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import { noRateLimits } from '#src/platform/http/rate-limits.ts';
import { SignedLinks } from '#src/platform/security/signed-links.ts';
import { Invoices } from '#src/shop/invoices/service.ts';
import { ShipmentCorrections } from '#src/shop/orders/fulfilment/corrections.service.ts';
import { SerialNumbers } from '#src/shop/orders/fulfilment/serials.service.ts';
import { ReturningUnitsService } from '#src/shop/orders/status/returning-units.service.ts';
import { ReturnDesk } from '#src/shop/returns/desk/service.ts';
import { Returns } from '#src/shop/returns/service.ts';
import { Withdrawals } from '#src/shop/returns/withdrawal/service.ts';
import { FREE_EVERYWHERE } from '#src/shop/shipping/compute-shipping.ts';
import { NO_TAX } from '#src/shop/tax/taxation.ts';
import { addPromotion } from '../add-promotion.ts';
import { openOrderShop } from '../order-shop.ts';
import type { OrderShop } from '../order-shop.ts';
import { createStaffActor } from '../staff-actor.ts';
import { silentLog } from '../database.ts';
import { BUG_STATEMENTS, WRONG_NUMBER } from './injected-return-bugs.ts';
import type { ReturnBug } from './injected-return-bugs.ts';

const MANY = { units: 1_000_000, variants: 1_000_000 };
const LIMITS = {
  quotesPerDay: 1_000_000,
  networkQuotesPerDay: 1_000_000,
  confirmed: MANY,
  unconfirmed: MANY,
  network: MANY,
  shortSeconds: 7200,
};
const TAX = {
  ...NO_TAX,
  homeCountry: 'GB',
  rates: [{ country: 'GB', taxClass: 'standard' as const, basisPoints: 2000 }],
  version: 0,
};
const SHIPPING = {
  ...FREE_EVERYWHERE,
  zones: [
    {
      name: 'Worldwide',
      countries: [],
      basis: 'value' as const,
      tiers: [{ from: 0, priceCents: 490 }],
      freeFromCents: null,
    },
  ],
  version: 0,
};
const charges = {
  taxes: { current: TAX, revision: 0n, read: async () => TAX },
  shipping: { current: SHIPPING, revision: 0n, read: async () => SHIPPING },
};

export const GIFT_CODE = 'GIFT';
export const DISCOUNT_CODE = 'LESS';

/** The services that handle returns, as one process creates them. */
type ReturnServices = ReturnType<typeof createReturnServices>;

function createReturnServices(
  shop: OrderShop,
  jobs: string[],
  { bug, onDue }: { readonly bug: ReturnBug | null; readonly onDue: () => void },
) {
  const { orders, parts, refunds } = shop;
  const { db, shopSettings } = parts;
  const clock = { now: () => shop.now };
  const accounts = {
    findContact: async (userId: string) => ({
      username: userId,
      email: `${userId}@example.com`,
      isConfirmed: true,
    }),
  };
  const mails = {
    enqueue: async (_tx: unknown, enqueued: readonly OrderShop['mails'][number][]) => void shop.mails.push(...enqueued),
  };
  const numbers = new SerialNumbers(parts);
  const shared = { db, clock, mails, accounts, orders, shopSettings };
  const returns = new Returns({
    ...shared,
    files: { erasePersonalData: async () => {}, deleteOld: async () => {} },
    // The histories exchange nothing.
    manualOrders: { listVariantsOf: async () => [] },
    refunds,
    tickets: { create: () => Promise.reject(new Error('no ticket was asked for')) },
    onRequested: async () => {},
    onDue: async () => onDue(),
  });
  const serialNumbers =
    bug === 'any serial number is received'
      ? {
          findState: numbers.findState.bind(numbers),
          markKept: numbers.markKept.bind(numbers),
          markReturned: async (...[tx, line, number, at]: Parameters<SerialNumbers['markReturned']>) =>
            (await numbers.markReturned(tx, line, number, at)) ?? (number === WRONG_NUMBER ? number : null),
        }
      : numbers;
  return {
    returns,
    desk: new ReturnDesk({ ...shared, refunds, serialNumbers, offerExchange: async () => null }, returns.notices),
    corrections: new ShipmentCorrections(parts),
    withdrawals: new Withdrawals({
      ...shared,
      jobs: {
        enqueueAll: async (_tx, _kind, enqueued) => void jobs.push(...enqueued.map(({ data }) => data?.['id'] ?? '')),
      },
      limits: noRateLimits,
      links: new SignedLinks(Buffer.alloc(32, 7)),
      returningUnits: new ReturningUnitsService(),
      onRecorded: async () => {},
      onUnmatched: async () => {},
    }),
  };
}

export class ReturnShop {
  readonly shop: OrderShop;
  readonly staff;
  /** Statements of withdrawal that a job has to handle. */
  readonly jobs: string[] = [];
  readonly units = new ReturningUnitsService();
  readonly #bug: ReturnBug | null;
  readonly #invoices: Invoices;
  #services: ReturnServices;
  /** How often staff were warned of deadlines. */
  warnings = 0;

  private constructor(shop: OrderShop, staffId: string, bug: ReturnBug | null) {
    this.shop = shop;
    this.staff = createStaffActor(staffId);
    this.#bug = bug;
    this.#services = this.#create();
    this.#invoices = new Invoices({
      db: shop.db,
      clock: { now: () => shop.now },
      log: silentLog,
      shopSettings: shop.parts.shopSettings,
      pdf: { render: () => Promise.reject(new Error('nothing is printed')) },
      onIssued: () => {},
      onChanged: () => {},
    });
  }

  /** @param bug that the histories must detect; null: none */
  static async open(bug: ReturnBug | null): Promise<ReturnShop> {
    let opened: ReturnShop | null = null;
    const shop = await openOrderShop(LIMITS, {
      charges,
      onWithdrawn: async (tx, refundId) => {
        if (bug !== 'a withdrawn refund leaves its return closed') await opened?.services.returns.reopen(tx, refundId);
      },
      onRefundsChanged: async (tx, orderId) => opened?.services.returns.reopenOwed(tx, orderId),
    });
    await sql`update products set serial_kind = 'serial' where id = ${shop.productId}`.execute(shop.db);
    await addPromotion(shop.db, { code: GIFT_CODE, type: 'free_item', gift: shop.otherProductId });
    await addPromotion(shop.db, { code: DISCOUNT_CODE, basisPoints: 1333 });
    opened = new ReturnShop(shop, await shop.createBuyer(0), bug);
    const statement = bug && BUG_STATEMENTS[bug];
    if (statement) await sql.raw(statement).execute(shop.db);
    return opened;
  }

  get services(): ReturnServices {
    return this.#services;
  }

  #create(): ReturnServices {
    return createReturnServices(this.shop, this.jobs, { bug: this.#bug, onDue: () => (this.warnings += 1) });
  }

  /** Continues with new services, which have nothing in memory. */
  restart(): void {
    this.#services = this.#create();
  }

  /** Issues the documents that the order needs now. */
  async issueDocuments(orderId: string): Promise<void> {
    await transact(this.shop.db, (tx) => this.#invoices.request(tx, [{ kind: 'paid', order_id: orderId }]));
    while (await this.#invoices.issueNext()) {
      // One order at a time.
    }
  }
}

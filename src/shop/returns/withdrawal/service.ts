/**
 * Withdrawal from the contract on the shop's own pages (Directive 2011/83/EU, article 11a, as amended by 2023/2673). A
 * statement is stored as it was made, whether or not it names an order; a job looks the order up that was named by
 * number and address, so that neither the response nor its time depends on the order.
 */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { JobQueue } from '#src/platform/jobs/jobs.ts';
import { consumeAll } from '#src/platform/http/rate-limits.ts';
import type { RateLimits } from '#src/platform/http/rate-limits.ts';
import { createInvalid, createNotFound, Refusal } from '#src/platform/http/call.ts';
import { toMailboxKey } from '#src/platform/mail/mail-address.ts';
import type { Mails } from '#src/platform/mail/mails.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { SignedLinks } from '#src/platform/security/signed-links.ts';
import { normaliseName } from '#src/shop/accounts/registration/normalise-name.ts';
import type { Orders } from '#src/shop/orders/service.ts';
import type { ReturningUnitsService } from '#src/shop/orders/status/returning-units.service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { createReference } from '../reference.service.ts';
import { insertReturn } from '../store.ts';
import { composeStatement } from './compose-statement.ts';
import type { ChosenOrder, Declaration } from './contract.ts';
import { findWithdrawalProblem } from './find-problem.ts';
import type { RefusalReason } from './kinds.ts';
import { findOrder, findOrderId, lockOrder } from './orders.store.ts';
import type { WithdrawalOrder } from './orders.store.ts';
import { computePeriod, computeRefundDue } from './period.ts';
import { nameLine } from './name-line.ts';
import { selectUnits } from './select-units.ts';
import * as store from './store.ts';
import type { Statement, StatementRow } from './store.ts';

export const WITHDRAWAL_JOB = 'withdrawal';
/** The acknowledgement to the mail address of the order, or why the withdrawal has no effect. */
export const WITHDRAWAL_MAIL = 'withdrawal';
/** The acknowledgement to the other address that the buyer named. */
export const WITHDRAWAL_COPY_MAIL = 'withdrawal-copy';
/** The link with which units can be chosen. */
export const WITHDRAWAL_LINK_MAIL = 'withdrawal-link';
type WithdrawalMailKind = typeof WITHDRAWAL_MAIL | typeof WITHDRAWAL_COPY_MAIL | typeof WITHDRAWAL_LINK_MAIL;

/** Purposes of signed links: to the order, and to the acknowledgement of a statement. */
const ORDER_LINK = 'withdrawal';
export const RECEIPT_LINK = 'withdrawal-receipt';

/** Statements about one order, by whoever can name it. */
const STATEMENTS = { points: 10, seconds: 86_400, by: 'caller', isShared: true } as const;
/** Links to one mailbox, whoever asks. */
const LINKS = { points: 3, seconds: 86_400, by: 'caller', isShared: true } as const;

export interface WithdrawalsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly jobs: Pick<JobQueue, 'enqueueAll'>;
  readonly mails: Pick<Mails<WithdrawalMailKind>, 'enqueue'>;
  readonly limits: RateLimits;
  readonly links: SignedLinks;
  readonly shopSettings: Pick<
    ShopSettings,
    'current' | 'sellsToEuConsumers' | 'timeZone' | 'findOrderNumbers' | 'formatOrderNumber'
  >;
  readonly orders: Pick<Orders, 'appendEvent'>;
  readonly returningUnits: ReturningUnitsService;
  /** Called in the transaction that stores the return of a withdrawal. */
  readonly onRecorded: (tx: Db, returnId: string) => Promise<void>;
  /** Called in the transaction that finds no order for a statement. */
  readonly onUnmatched: (tx: Db, statementId: string) => Promise<void>;
}

type Declared = Omit<Declaration, 'link' | 'order_id' | 'order_number' | 'order_email'>;

/** An order that the caller proved to be theirs, or how it was named. */
type Named =
  | { readonly proof: 'link' | 'account'; readonly order: WithdrawalOrder }
  | { readonly proof: 'address'; readonly number: string; readonly email: string };

const hash = (...parts: readonly string[]): string => createHash('sha256').update(parts.join('\0')).digest('hex');

/** As jobs store it: an address is in no job. */
const hashAddress = (email: string): Buffer =>
  createHash('sha256')
    .update(normaliseName(email) ?? '')
    .digest();

const tooOften = ({ retryAfterSeconds }: { readonly retryAfterSeconds: number }): Refusal =>
  new Refusal(429, 'too-often', 'Too many withdrawals from this order. Try again tomorrow, or write to us', {
    retryAfterSeconds,
  });

export class Withdrawals {
  readonly #options: WithdrawalsOptions;

  constructor(options: WithdrawalsOptions) {
    this.#options = options;
  }

  get isOffered(): boolean {
    return this.#options.shopSettings.sellsToEuConsumers;
  }

  /** Token of the link with which the reader of a mail about the order withdraws. */
  signOrder(orderId: string): string {
    return this.#options.links.sign(ORDER_LINK, orderId);
  }

  /** Page on which the reader of a mail withdraws; null if the buyer can't. @param vatNumber of a business */
  findPath(orderId: string, vatNumber: string | null): string | null {
    return this.isOffered && vatNumber === null ? `/withdrawal/${this.signOrder(orderId)}` : null;
  }

  // ---- before the confirmation

  /** @param userId null: nobody is logged in */
  async read(chosen: Pick<ChosenOrder, 'link' | 'order_id'>, userId: string | null) {
    const named = await this.#resolve(chosen, userId);
    if (named instanceof Refusal) return named;
    if (named.proof === 'address') return createNotFound();
    const { order } = named;
    const { lines, ...period } = await this.describeOrder(this.#options.db, order);
    return {
      order_number: this.#options.shopSettings.formatOrderNumber(order.number),
      name: order.buyerName,
      lines: lines.map(({ position, shipped, unshipped, ...line }) => ({
        position,
        name: nameLine(line),
        unshipped,
        shipped,
      })),
      ...period,
    };
  }

  /** What is left of an order to withdraw from, and until when. */
  async describeOrder(db: Db, order: WithdrawalOrder) {
    const { clock, returningUnits, shopSettings } = this.#options;
    const lines = await returningUnits.list(db, order.id);
    const period = computePeriod(order.deliveredAt, clock.now(), shopSettings.timeZone);
    const problem = findWithdrawalProblem(order, lines, period, this.isOffered);
    return { lines: lines.filter((line) => line.shipped + line.unshipped > 0), last_day: period.lastDay, problem };
  }

  /** The text that is confirmed. */
  async preview({ link, order_id, order_number, order_email, ...declared }: Declaration, userId: string | null) {
    const named = await this.#resolve({ link, order_id, order_number, order_email }, userId);
    if (named instanceof Refusal) return named;
    return { statement: await this.#compose(named, declared) };
  }

  async #compose(named: Named, { acknowledgement_email: email, name, reason, units }: Declared): Promise<string> {
    const { shopSettings } = this.#options;
    const shopName = shopSettings.current.identity.name;
    const parts = { shopName, name, reason, acknowledgementEmail: email };
    if (named.proof === 'address') return composeStatement({ ...parts, orderNumber: named.number, units: null });
    const { order } = named;
    const lines = await this.#options.returningUnits.list(this.#options.db, order.id);
    const chosen = units?.map(({ position, quantity }) => {
      const line = lines.find((one) => one.position === position);
      return { name: line === undefined ? 'an item that is not in the order' : nameLine(line), quantity };
    });
    return composeStatement({
      ...parts,
      orderNumber: shopSettings.formatOrderNumber(order.number),
      units: chosen ?? null,
    });
  }

  async #resolve(
    { link, order_email: email, order_id: id, order_number: number }: ChosenOrder,
    userId: string | null,
  ): Promise<Named | Refusal> {
    const { db, links } = this.#options;
    if (!this.isOffered) return createNotFound();
    if (link !== undefined) {
      const linked = links.read(ORDER_LINK, link);
      const order = linked && (await findOrder(db, linked));
      return order ? { proof: 'link', order } : createNotFound();
    }
    if (id !== undefined) {
      const order = userId === null ? null : await findOrder(db, id);
      return order?.userId === userId && order !== null ? { proof: 'account', order } : createNotFound();
    }
    if (number !== undefined && email !== undefined) return { proof: 'address', number, email };
    return createInvalid({
      ...(number === undefined && { order_number: 'is required' }),
      ...(email === undefined && { order_email: 'is required' }),
    });
  }

  // ---- the statement

  /** Stores a statement. One about a proved order takes effect in the same transaction. */
  async declare(
    { key, link, order_id, order_number, order_email, ...declared }: Declaration & { readonly key: string },
    userId: string | null,
  ) {
    const { db, limits } = this.#options;
    const named = await this.#resolve({ link, order_id, order_number, order_email }, userId);
    if (named instanceof Refusal) return named;
    const composed = await this.#compose(named, declared);
    const repeated = await this.#findRepeat(key, named, composed);
    if (repeated !== null) return repeated;
    const subject = named.proof === 'address' ? hash(named.number, toMailboxKey(named.email)) : named.order.id;
    const limited = await consumeAll(limits, [{ name: 'withdrawals of an order', limit: STATEMENTS, key: subject }]);
    if (!limited.ok) return tooOften(limited);
    const stated = await transact(db, (tx) => this.#state(tx, key, named, { ...declared, composed }));
    return stated === null
      ? ((await this.#findRepeat(key, named, composed)) ?? createNotFound())
      : this.#toReceipt(stated);
  }

  /** Null if the key was used meanwhile. */
  async #state(
    tx: Db,
    key: string,
    named: Named,
    { acknowledgement_email: email, composed, name, reason, units }: Declared & { readonly composed: string },
  ): Promise<Statement | null> {
    const { clock, jobs, shopSettings } = this.#options;
    const isProved = named.proof !== 'address';
    const statement = {
      id: key,
      statedAt: clock.now(),
      proof: named.proof,
      orderId: isProved ? named.order.id : null,
      orderNumber: isProved ? String(named.order.number) : named.number,
      orderEmail: isProved ? null : named.email,
      name,
      acknowledgementEmail: email,
      units: isProved ? units : null,
      reason,
      timeZone: shopSettings.timeZone,
      statement: composed,
    };
    // The order is locked before its statement, as the job does.
    const order = isProved ? await lockOrder(tx, named.order.id) : null;
    const reference = await this.#insert(tx, statement);
    if (reference === null) return null;
    const stated = { ...statement, reference };
    if (order !== null) await this.#settle(tx, stated, order);
    else await jobs.enqueueAll(tx, WITHDRAWAL_JOB, [{ data: { id: key }, deduplicationKey: key }]);
    return stated;
  }

  /** Stores the statement with a new reference; null if there is one with its id. */
  async #insert(tx: Db, statement: Omit<Statement, 'reference'>): Promise<string | null> {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const reference = createReference();
      if (await store.insertStatement(tx, { ...statement, reference })) return reference;
      if ((await store.findStatement(tx, statement.id)) !== null) return null;
    }
    throw new Error('no free reference was found');
  }

  /** The response to a statement that was made with this key. */
  async #findRepeat(key: string, named: Named, composed: string) {
    const before = await store.findStatement(this.#options.db, key);
    if (before === null) return null;
    const isSameOrder =
      named.proof === 'address'
        ? before.orderEmail === named.email && before.orderNumber === named.number
        : before.orderId === named.order.id && before.proof === named.proof;
    return isSameOrder && before.statement === composed
      ? this.#toReceipt(before)
      : new Refusal(409, 'key-used', 'Another withdrawal was made with this form. Open the page again');
  }

  #toReceipt({ id, reference }: Pick<Statement, 'id' | 'reference'>) {
    return { reference, receipt: this.#options.links.sign(RECEIPT_LINK, id) };
  }

  /** Handles a statement that names its order by number and address. A job; idempotent. */
  async handle(id: string): Promise<void> {
    const { clock, db, shopSettings } = this.#options;
    await transact(db, async (tx) => {
      const stated = await store.findStatement(tx, id);
      if (stated === null || stated.orderEmail === null) return;
      const numbers = shopSettings.findOrderNumbers(stated.orderNumber);
      const orderId = await findOrderId(tx, numbers, hashAddress(stated.orderEmail));
      const order = orderId === null ? null : await lockOrder(tx, orderId);
      const locked = await store.lockStatement(tx, id);
      if (locked === null || locked.result !== null) return;
      if (order !== null) return this.#settle(tx, locked, order);
      await store.writeResult(tx, id, { result: 'not-found', orderId: null, returnId: null, at: clock.now() });
      await this.#options.onUnmatched(tx, id);
    });
  }

  /** What becomes of a statement, with its mails. The order is locked. */
  async #settle(tx: Db, stated: Statement, order: WithdrawalOrder): Promise<void> {
    const { clock, mails } = this.#options;
    const outcome = await this.#withdraw(tx, stated, order);
    const result = typeof outcome === 'string' ? outcome : 'recorded';
    const returnId = typeof outcome === 'string' ? null : outcome.returnId;
    await store.writeResult(tx, stated.id, { result, orderId: order.id, returnId, at: clock.now() });
    const { id } = stated;
    await mails.enqueue(tx, [
      { kind: WITHDRAWAL_MAIL, event: `withdrawal.${id}`, data: { id } },
      ...(stated.acknowledgementEmail === null
        ? []
        : [{ kind: WITHDRAWAL_COPY_MAIL, event: `withdrawal-copy.${id}`, data: { id } } as const]),
    ]);
  }

  /** Takes the units and creates the return, or says why there is nothing to withdraw from. */
  async #withdraw(
    tx: Db,
    stated: Statement,
    order: WithdrawalOrder,
  ): Promise<RefusalReason | { readonly returnId: string }> {
    const { orders, returningUnits, shopSettings } = this.#options;
    const { reason, reference, statedAt } = stated;
    const left = await returningUnits.list(tx, order.id);
    // The moment of the statement decides, not that of the job.
    const period = computePeriod(order.deliveredAt, statedAt, shopSettings.timeZone);
    const problem = findWithdrawalProblem(order, left, period, this.isOffered);
    if (problem !== null) return problem;
    const units = selectUnits(left, stated.units);
    if (units.length === 0) return 'nothing-left';
    const returnId = uuidv7();
    await returningUnits.take(tx, order.id, units);
    await insertReturn(tx, {
      id: returnId,
      reference,
      orderId: order.id,
      cause: 'withdrawal',
      state: 'approved',
      requestedAt: statedAt,
      reason,
      refundDueAt: computeRefundDue(statedAt, shopSettings.timeZone),
      decidedAt: statedAt,
      lines: units,
    });
    const count = (units_: 'cancelled' | 'quantity'): number => units.reduce((sum, one) => sum + one[units_], 0);
    const details = { reference, units: count('quantity'), cancelled: count('cancelled') };
    await orders.appendEvent(tx, order.id, 'contract_withdrawn', statedAt, details);
    await this.#options.onRecorded(tx, returnId);
    return { returnId };
  }

  // ---- the link

  /** Enqueues the mail with the link, within the limits of the mailbox. The job looks for the order. */
  async requestLink(number: string, email: string): Promise<Refusal | null> {
    const { db, limits, mails, shopSettings } = this.#options;
    if (!this.isOffered) return createNotFound();
    const key = hash(toMailboxKey(email));
    const limited = await consumeAll(limits, [{ name: 'withdrawal links', limit: LINKS, key }]);
    if (!limited.ok) return tooOften(limited);
    const event = `withdrawal-link.${uuidv7()}`;
    const numbers = shopSettings.findOrderNumbers(number).join(',');
    const data = { numbers, address: hashAddress(email).toString('hex') };
    await transact(db, (tx) => mails.enqueue(tx, [{ kind: WITHDRAWAL_LINK_MAIL, event, data }]));
    return null;
  }

  /** The order of a requested link; null if number and address do not belong together. @param address its hash */
  async findLinkedOrder(numbers: readonly string[], address: string): Promise<WithdrawalOrder | null> {
    const { db } = this.#options;
    const id = await findOrderId(db, numbers, Buffer.from(address, 'hex'));
    return id === null ? null : findOrder(db, id);
  }

  /** A statement by the token of its acknowledgement; null if there is none. */
  async findByReceipt(receipt: string): Promise<StatementRow | null> {
    const { db, links } = this.#options;
    const id = links.read(RECEIPT_LINK, receipt);
    return id === null ? null : store.findStatement(db, id);
  }
}

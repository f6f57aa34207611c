/** What buyers and staff see of statements of withdrawal: acknowledgement, PDF, mails and lists. */
import type { Db } from '#src/platform/database/database.ts';
import { createNotFound } from '#src/platform/http/call.ts';
import type { PdfRenderer } from '#src/platform/pdf/pdf-renderer.ts';
import type { SignedLinks } from '#src/platform/security/signed-links.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { ShopSettings } from '#src/shop/shop-settings/service.ts';
import { findReturn, listReturnsOfOrder } from '../store.ts';
import type { ReturnRow } from '../store.ts';
import { layOutAcknowledgement } from './lay-out-acknowledgement.ts';
import { nameLine } from './name-line.ts';
import { findOrder } from './orders.store.ts';
import { RECEIPT_LINK } from './service.ts';
import type { Withdrawals } from './service.ts';
import * as store from './store.ts';
import type { StatementRow } from './store.ts';
import type { WithdrawalMail } from './withdrawal-mail.ts';

export interface AcknowledgementsOptions {
  readonly db: Db;
  readonly links: SignedLinks;
  readonly pdf: Pick<PdfRenderer, 'render'>;
  readonly shopSettings: Pick<ShopSettings, 'current' | 'formatOrderNumber'>;
  readonly accounts: Pick<Accounts, 'findContact'>;
  readonly withdrawals: Withdrawals;
}

const showItems = ({ lines }: ReturnRow) =>
  lines.map((line) => ({ name: nameLine(line), quantity: line.quantity, cancelled: line.cancelled }));

export class Acknowledgements {
  readonly #options: AcknowledgementsOptions;

  constructor(options: AcknowledgementsOptions) {
    this.#options = options;
  }

  // ---- by the token of the acknowledgement

  async read(receipt: string) {
    const { withdrawals } = this.#options;
    const stated = await withdrawals.findByReceipt(receipt);
    if (stated === null) return createNotFound();
    const { reference, statedAt, timeZone, statement } = stated;
    return {
      reference,
      stated_at: statedAt,
      time_zone: timeZone,
      statement,
      outcome: stated.proof === 'address' ? null : await this.#readOutcome(stated),
    };
  }

  async #readOutcome({ orderId, result, returnId }: StatementRow) {
    const { db, withdrawals } = this.#options;
    const order = orderId === null ? null : await findOrder(db, orderId);
    if (order === null) return null;
    const taken = returnId === null ? null : await findReturn(db, returnId);
    const { last_day } = await withdrawals.describeOrder(db, order);
    return {
      last_day,
      problem: result === 'recorded' ? null : result,
      items: taken === null ? [] : showItems(taken),
      refund_due_at: taken?.refundDueAt ?? null,
    };
  }

  /** Null if there is none. @param client whose document it is: renderings of one client take turns */
  async print(receipt: string, client: string) {
    const { pdf, shopSettings, withdrawals } = this.#options;
    const stated = await withdrawals.findByReceipt(receipt);
    if (stated === null) return null;
    const { identity, legal } = shopSettings.current;
    const document = layOutAcknowledgement(stated, {
      name: legal.company || identity.name,
      address: identity.address,
      email: legal.contact_email,
    });
    return { filename: `withdrawal-${stated.reference}.pdf`, bytes: await pdf.render(document, client) };
  }

  // ---- of an order

  /** @param userId of the buyer */
  async listForBuyer(orderId: string, userId: string) {
    const { db, withdrawals } = this.#options;
    const order = await findOrder(db, orderId);
    if (order?.userId !== userId) return null;
    const { last_day, problem } = await withdrawals.describeOrder(db, order);
    const returns = await listReturnsOfOrder(db, orderId);
    return {
      last_day,
      problem,
      withdrawals: returns
        .filter(({ cause }) => cause === 'withdrawal')
        .map((one) => ({
          reference: one.reference,
          stated_at: one.requestedAt,
          state: one.state,
          refund_due_at: one.refundDueAt,
          items: showItems(one),
        })),
    };
  }

  async listForStaff(orderId: string) {
    const { db } = this.#options;
    if ((await findOrder(db, orderId)) === null) return null;
    const [statements, returns] = await Promise.all([
      store.listStatementsOfOrder(db, orderId),
      listReturnsOfOrder(db, orderId),
    ]);
    return {
      withdrawals: statements.map((stated) => {
        const taken = returns.find(({ id }) => id === stated.returnId);
        return {
          reference: stated.reference,
          stated_at: stated.statedAt,
          name: stated.name,
          statement: stated.statement,
          proof: stated.proof,
          result: stated.result,
          state: taken?.state ?? null,
          refund_due_at: taken?.refundDueAt ?? null,
          items: taken === undefined ? [] : showItems(taken),
        };
      }),
    };
  }

  // ---- for mails

  /** What the mails about a statement say; null if it was not handled, or its order or account is gone. */
  async readMail(id: string): Promise<WithdrawalMail | null> {
    const { accounts, db, links, shopSettings, withdrawals } = this.#options;
    const stated = await store.findStatement(db, id);
    const order = stated?.orderId ? await findOrder(db, stated.orderId) : null;
    if (stated === null || stated.result === null || order === null) return null;
    const contact = await accounts.findContact(order.userId);
    if (contact === null) return null;
    const taken = stated.returnId === null ? null : await findReturn(db, stated.returnId);
    const { last_day: lastDay } = await withdrawals.describeOrder(db, order);
    return {
      contact,
      copyTo: stated.acknowledgementEmail,
      number: shopSettings.formatOrderNumber(order.number),
      reference: stated.reference,
      statedAt: stated.statedAt,
      timeZone: stated.timeZone,
      statement: stated.statement,
      result: stated.result,
      lastDay,
      items: taken === null ? [] : showItems(taken),
      refundDueAt: taken?.refundDueAt ?? null,
      receipt: links.sign(RECEIPT_LINK, id),
    };
  }

  /** Null if number and address do not belong together: then no mail is sent. */
  async readLinkMail(numbers: readonly string[], address: string) {
    const { accounts, shopSettings, withdrawals } = this.#options;
    const order = await withdrawals.findLinkedOrder(numbers, address);
    const contact = order && (await accounts.findContact(order.userId));
    if (!contact) return null;
    return { contact, number: shopSettings.formatOrderNumber(order.number), link: withdrawals.signOrder(order.id) };
  }
}

/** Buyers of a shop with a devchain, and their mailboxes. */
import assert from 'node:assert/strict';
import { findFirstProduct, createOrder } from './new-order.ts';
import { listAt, textAt } from './read-json.ts';
import type { SpawnedShop } from './spawned-shop.ts';
import { waitUntil } from './wait-until.ts';

export interface MailedBuyer {
  readonly email: string;
  readonly token: string;
  readonly orderId: string;
  readonly number: string;
  readonly address: string;
  readonly due: number;
  /** Formatted as in a mail. */
  readonly payLink: string;
  readonly orderLink: string;
}

/** Formatted as in a mail. */
export const formatBtc = (amount: number): string => `${amount.toFixed(8).replace(/00$/, '')} BTC`;
/** Rounds a sum or difference of amounts to the satoshi. */
export const roundBtc = (amount: number): number => Math.round(amount * 1e8) / 1e8;
export const formatOrderSubject = ({ number, due }: MailedBuyer): string => `Order ${number}: ${formatBtc(due)} to pay`;

export class MailedBuyers {
  readonly #shop: SpawnedShop;
  readonly #productId: string;
  #count = 0;

  private constructor(shop: SpawnedShop, productId: string) {
    this.#shop = shop;
    this.#productId = productId;
  }

  static async create(shop: SpawnedShop): Promise<MailedBuyers> {
    return new MailedBuyers(shop, await findFirstProduct(shop));
  }

  get productId(): string {
    return this.#productId;
  }

  async callDemoTool(path: string, body: unknown): Promise<unknown> {
    const response = await this.#shop.api('POST', `/dev/${path}`, { body });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  }

  /** Pays an amount, by default the missing one, and returns the txid. */
  async pay({ orderId }: MailedBuyer, amount?: number): Promise<string> {
    const body = { order_id: orderId, ...(amount === undefined ? {} : { amount_btc: amount }) };
    return textAt(await this.callDemoTool('pay', body), 'txid');
  }

  async buy(): Promise<MailedBuyer> {
    const shop = this.#shop;
    const { id: orderId, ...bought } = await createOrder(shop, `noticed-${(this.#count += 1)}`);
    const { token } = bought;
    const { body: timeline } = await shop.api('GET', `/orders/${orderId}/timeline`, { token });
    const shopUrl = shop.url.replace('127.0.0.1', 'localhost');
    return {
      ...bought,
      orderId,
      payLink: `${shopUrl}${textAt(timeline, 'pay_path')}`,
      orderLink: `${shopUrl}/dashboard/orders/${orderId}`,
    };
  }

  /** Order mails of a buyer, oldest first. */
  async listMailsTo({ email }: MailedBuyer): Promise<readonly unknown[]> {
    const mails = listAt((await this.#shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body);
    return mails.filter((mail) => /order CM-/i.test(textAt(mail, 'subject'))).toReversed();
  }

  async listSubjectsTo(buyer: MailedBuyer): Promise<readonly string[]> {
    return (await this.listMailsTo(buyer)).map((mail) => textAt(mail, 'subject'));
  }

  /** Waits for the next mail and checks that text and HTML contain the same. */
  async waitForMail(buyer: MailedBuyer, subject: string, parts: readonly string[] = []): Promise<void> {
    await waitUntil(async () => (await this.listSubjectsTo(buyer)).at(-1) === subject);
    const mail = (await this.listMailsTo(buyer)).at(-1);
    for (const version of ['text', 'html']) {
      const content = textAt(mail, version);
      for (const part of [buyer.number, ...parts]) assert.ok(content.includes(part), `${subject}, ${version}: ${part}`);
    }
  }

  /** Kills the shop like a power loss and restarts it. */
  async kill(): Promise<void> {
    await this.#shop.kill9();
    await this.#shop.restart();
  }

  /** Waits until mails of all earlier events are sent. */
  async waitForAllMails(): Promise<void> {
    const next = await this.buy();
    await this.waitForMail(next, formatOrderSubject(next));
  }
}

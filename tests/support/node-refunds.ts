/**
 * Refunds on a real node: the buyer enters an address, staff create the refund, their wallet signs.
 */
import assert from 'node:assert/strict';
import type { NodeOrder } from './node-order.ts';
import type { NodeShop } from './node-shop.ts';
import { toSats } from './merchant.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import { waitUntil } from './wait-until.ts';

/** Sats per virtual byte: a young regtest chain has no fee estimate. */
const FEE_RATE = 2;

interface MadeRefund {
  readonly id: string;
  readonly address: string;
  readonly amount: bigint;
  readonly debit: bigint;
  /** PSBT and transaction signed by the merchant's wallet; null for a refund from any wallet. */
  readonly signed: { readonly psbt: string; readonly hex: string } | null;
}

export class NodeRefunds {
  readonly #nodeShop: NodeShop;
  readonly order: NodeOrder;
  #address = '';

  private constructor(nodeShop: NodeShop, order: NodeOrder) {
    this.#nodeShop = nodeShop;
    this.order = order;
  }

  /** Enters an address of the buyer and confirms it by the mailed link. */
  static async open(nodeShop: NodeShop, order: NodeOrder): Promise<NodeRefunds> {
    const desk = new NodeRefunds(nodeShop, order);
    desk.#address = await nodeShop.wallet.createAddress();
    assert.equal((await order.call('PUT', '/refund-address', { address: desk.#address })).status, 200);
    let token = '';
    await waitUntil(async () => {
      const { body } = await nodeShop.shop.api('GET', `/dev/mail?to=${order.buyer.name}@node.example`);
      const texts = Array.isArray(body) ? body.map((mail: unknown) => textAt(mail, 'text')) : [];
      token = texts.map((text) => /confirm-refund-address\/([\w-]+)/.exec(text)?.[1] ?? '').find(Boolean) ?? '';
      return token !== '';
    });
    const confirmed = await nodeShop.shop.api('POST', '/refund-addresses/confirm', { body: { token } });
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
    return desk;
  }

  async make(
    covers: 'surplus' | 'whole',
    { feePaidBy = 'shop', from = 'coins' }: { feePaidBy?: 'shop' | 'buyer'; from?: 'coins' | 'any-wallet' } = {},
  ): Promise<MadeRefund> {
    const asked = { covers, fee_paid_by: feePaidBy, fee_rate: FEE_RATE, from };
    const { body, status } = await this.#nodeShop.callAsStaff('POST', `/orders/${this.order.id}/refunds`, asked);
    assert.equal(status, 201, JSON.stringify(body));
    const psbt = valueAt(body, 'refund', 'psbt');
    const [amount, debit] = ['amount_btc', 'debit_btc'].map((key) => toSats(numberAt(body, 'refund', key)));
    const signed = typeof psbt === 'string' ? await this.#sign(psbt) : null;
    return {
      id: textAt(body, 'refund', 'id'),
      address: this.#address,
      amount: amount ?? 0n,
      debit: debit ?? 0n,
      signed,
    };
  }

  async #sign(psbt: string) {
    const { merchant } = this.#nodeShop;
    const signed = await merchant.call('walletprocesspsbt', psbt);
    assert.equal(valueAt(signed, 'complete'), true, 'the wallet signs every input');
    const whole = textAt(signed, 'psbt');
    return { psbt: whole, hex: textAt(await merchant.call('finalizepsbt', whole), 'hex') };
  }

  /** Staff return the signed PSBT, and the shop broadcasts it. */
  async broadcast({ id, signed }: MadeRefund): Promise<void> {
    const { body, status } = await this.#nodeShop.callAsStaff('POST', `/refunds/${id}/broadcast`, {
      psbt: signed?.psbt ?? '',
    });
    assert.equal(status, 200, JSON.stringify(body));
  }

  /** The wallet broadcasts it without the shop. */
  async sendFromWallet({ signed }: MadeRefund): Promise<string> {
    return this.#nodeShop.send(signed?.hex ?? '');
  }

  async withdraw({ id }: MadeRefund): Promise<void> {
    const { body, status } = await this.#nodeShop.callAsStaff('POST', `/refunds/${id}/withdraw`);
    assert.equal(status, 200, JSON.stringify(body));
  }

  /** The refund as staff see it. */
  async readRefund({ id }: MadeRefund): Promise<{ readonly state: string; readonly txid: unknown }> {
    const { body } = await this.#nodeShop.callAsStaff('GET', `/orders/${this.order.id}/refunds`);
    const refund = listAt(body, 'refunds').find((one) => textAt(one, 'id') === id);
    return { state: textAt(refund, 'state'), txid: valueAt(refund, 'txid') };
  }

  /** Checks that the buyer's wallet has the whole amount, confirmed. */
  async hasArrived({ address, amount }: MadeRefund): Promise<void> {
    const arrived = await this.#nodeShop.call('getreceivedbyaddress', address, 1);
    assert.equal(toSats(Number(arrived)), amount, 'amount received by the buyer');
  }
}

/** A shop with a devchain and the merchant's signing key. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { HDKey } from '@scure/bip32';
import { Address, OutScript, Transaction } from '@scure/btc-signer';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { testKey } from './devchain.ts';
import { createHdSigner } from '#src/platform/bitcoin/hd-signer.ts';
import type { HdSigner } from '#src/platform/bitcoin/hd-signer.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import { startTestShop } from './shop.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';
import { createStockBuyer, setStock, readStock } from './stock-stress.ts';
import type { StockLeft } from './stock-stress.ts';
import { BILLING } from './stress-buyer.ts';
import { waitUntil } from './wait-until.ts';

export interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly token: string;
}

const LINK = /\/confirm-refund-address\/([\w-]{43})/;

interface SignedRefund {
  readonly psbt: string;
  readonly raw: Uint8Array;
  readonly txid: string;
}

function finish(transaction: Transaction): SignedRefund {
  const psbt = Buffer.from(transaction.toPSBT()).toString('base64');
  transaction.finalize();
  return { psbt, raw: transaction.extract(), txid: transaction.id };
}

export class RefundShop {
  readonly shop: TestShop;
  /** Token of staff. Their sessions end after 12 hours without a call, so a moved clock needs a new one. */
  staff: string;
  /** Public account key of the shop. */
  readonly account: AccountKey;
  /** Its text, for another process of the shop. */
  readonly xpub: string;
  readonly #signer: HdSigner;
  readonly #productId: string;
  #buyers = 0;

  constructor(
    shop: TestShop,
    { account, xpub }: { readonly account: AccountKey; readonly xpub: string },
    signer: HdSigner,
    staff: string,
    productId: string,
  ) {
    this.shop = shop;
    this.account = account;
    this.xpub = xpub;
    this.staff = staff;
    this.#signer = signer;
    this.#productId = productId;
  }

  async callDemoTool(path: string, body: unknown): Promise<unknown> {
    const response = await this.shop.api('POST', `/dev/${path}`, { body });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    if (path === 'clock') this.staff = await logInAsStaff(this.shop);
    return response.body;
  }

  mine(blocks: number): Promise<unknown> {
    return this.callDemoTool('mine', { blocks });
  }

  /** Sets the stock of the product that these tests buy. */
  setStock(available: number): Promise<void> {
    return setStock(this.shop, this.#productId, available);
  }

  readStock(): Promise<StockLeft> {
    return readStock(this.shop, this.#productId);
  }

  // ---- buyers

  async createBuyer(): Promise<Buyer> {
    const name = `refunded-${(this.#buyers += 1)}`;
    const token = await createStockBuyer(this.shop, name, this.#productId);
    return { name, token, email: `${name}@stock.example` };
  }

  checkout({ token }: Buyer): Promise<ApiResponse> {
    return this.shop.api('POST', '/cart/checkout', { token, body: BILLING });
  }

  /** Creates an order that is cancelled and then paid. */
  async createCancelledPaidOrder(buyer: Buyer, amountBtc: number): Promise<string> {
    const { body } = await this.checkout(buyer);
    const id = textAt(body, 'order', 'id');
    assert.equal((await this.post(`/orders/${id}/cancel`, {}, buyer.token)).status, 200);
    await this.callDemoTool('pay', { order_id: id, amount_btc: amountBtc });
    await this.mine(2);
    return id;
  }

  /** The staff task of an order; null for none. */
  async readTask(orderId: string): Promise<string | null> {
    const { body } = await this.shop.api('GET', `/support/orders/${orderId}`, { token: this.staff });
    return valueAt(body, 'attention') === null ? null : textAt(body, 'attention', 'kind');
  }

  /** Creates an order with this payment and the required confirmations. */
  async createPaidOrder(buyer: Buyer, amountBtc: number): Promise<string> {
    const { body } = await this.checkout(buyer);
    const id = textAt(body, 'order', 'id');
    await this.callDemoTool('pay', { order_id: id, amount_btc: amountBtc });
    await this.mine(2);
    return id;
  }

  async nameAddress({ token }: Buyer, id: string, address: string): Promise<void> {
    const named = await this.shop.api('PUT', `/orders/${id}/refund-address`, { token, body: { address } });
    assert.equal(named.status, 200, JSON.stringify(named.body));
  }

  /** The texts of a buyer's mails, newest first. */
  async listMailsTo({ email }: Buyer): Promise<string[]> {
    const { body } = await this.shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`);
    return listAt(body).map((mail) => `${textAt(mail, 'subject')}\n${textAt(mail, 'text')}`);
  }

  async confirmAddress(buyer: Buyer, id: string, address: string): Promise<void> {
    await this.nameAddress(buyer, id, address);
    let token: string | undefined;
    await waitUntil(async () => {
      const mail = (await this.listMailsTo(buyer)).find((one) => one.includes(address));
      token = mail && LINK.exec(mail)?.[1];
      return token !== undefined;
    });
    const confirmed = await this.shop.api('POST', '/refund-addresses/confirm', { body: { token } });
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  }

  /** Creates an overpaid order with a confirmed refund address. */
  async createOverpaidOrder(
    address: string,
    amountBtc = 0.0095,
  ): Promise<{ readonly buyer: Buyer; readonly id: string }> {
    const buyer = await this.createBuyer();
    const id = await this.createPaidOrder(buyer, amountBtc);
    await this.confirmAddress(buyer, id, address);
    return { buyer, id };
  }

  async order({ token }: Buyer, id: string): Promise<{ readonly status: string; readonly state: string }> {
    const { body } = await this.shop.api('GET', `/orders/${id}`, { token });
    return { status: textAt(body, 'order', 'payment_status'), state: textAt(body, 'order', 'payment', 'state') };
  }

  async readTimeline({ token }: Buyer, id: string): Promise<{ readonly kinds: string[]; readonly refunds: unknown[] }> {
    const { body } = await this.shop.api('GET', `/orders/${id}/timeline`, { token });
    const kinds = listAt(body, 'timeline').map((turn) => textAt(turn, 'kind'));
    return { kinds, refunds: [...listAt(body, 'refunds')] };
  }

  // ---- staff

  post(path: string, body: unknown = {}, token = this.staff): Promise<ApiResponse> {
    return this.shop.api('POST', path, { token, body });
  }

  requestRefund(orderId: string, more: object = {}): Promise<ApiResponse> {
    return this.post(`/orders/${orderId}/refunds`, { covers: 'surplus', fee_paid_by: 'shop', ...more });
  }

  async createRefund(orderId: string, more: object = {}): Promise<unknown> {
    const { status, body } = await this.requestRefund(orderId, more);
    assert.equal(status, 201, JSON.stringify(body));
    return valueAt(body, 'refund');
  }

  async readRefunds(orderId: string): Promise<unknown> {
    const { body, status } = await this.shop.api('GET', `/orders/${orderId}/refunds`, { token: this.staff });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** State and transaction of each refund of an order, oldest first. */
  async listStates(orderId: string): Promise<(readonly [string, unknown])[]> {
    const refunds = listAt(await this.readRefunds(orderId), 'refunds');
    return refunds.map((refund) => [textAt(refund, 'state'), valueAt(refund, 'txid')]);
  }

  // ---- the merchant's wallet

  /** Signs the PSBT of a refund; returns it, the transaction and its id. */
  sign(refund: unknown): SignedRefund {
    const transaction = Transaction.fromPSBT(Buffer.from(textAt(refund, 'psbt'), 'base64'));
    transaction.sign(this.#signer);
    return finish(transaction);
  }

  /** As `sign`. The shop in this process goes on between the inputs, and closes idle connections in time. */
  async signMany(refund: unknown): Promise<SignedRefund> {
    const transaction = Transaction.fromPSBT(Buffer.from(textAt(refund, 'psbt'), 'base64'));
    for (let vin = 0; vin < transaction.inputsLength; vin += 1) {
      transaction.signIdx(this.#signer, vin);
      await setImmediate();
    }
    return finish(transaction);
  }

  /** A change address of the account. */
  changeAddress(index: number): string {
    const output = OutScript.decode(this.account.deriveKey(1, index).script);
    return Address(getBitcoinNetwork('regtest').addresses).encode(output);
  }

  /** Outpoints spent by a refund. */
  listCoins(refund: unknown): string[] {
    const plan = Transaction.fromPSBT(Buffer.from(textAt(refund, 'psbt'), 'base64'));
    const inputs = Array.from({ length: plan.inputsLength }, (_, vin) => plan.getInput(vin));
    return inputs.map(({ index, txid = new Uint8Array() }) => `${Buffer.from(txid).toString('hex')}:${index ?? ''}`);
  }

  /** Creates a transaction that spends the coins of a refund differently. */
  spendOtherwise(refund: unknown): Uint8Array {
    const plan = Transaction.fromPSBT(Buffer.from(textAt(refund, 'psbt'), 'base64'));
    const transaction = new Transaction({ version: 2 });
    for (let vin = 0; vin < plan.inputsLength; vin += 1) transaction.addInput(plan.getInput(vin));
    transaction.addOutput({ script: testKey().script, amount: (plan.getOutput(0).amount ?? 0n) - 9000n });
    transaction.sign(this.#signer);
    transaction.finalize();
    return transaction.extract();
  }

  /** Creates a payment to another address with the coins planned for a refund. */
  payElsewhere(donor: unknown, address: string, amountBtc: number): { raw: Uint8Array; txid: string } {
    const plan = Transaction.fromPSBT(Buffer.from(textAt(donor, 'psbt'), 'base64'));
    const transaction = new Transaction({ version: 2 });
    let held = 0n;
    for (let vin = 0; vin < plan.inputsLength; vin += 1) {
      const input = plan.getInput(vin);
      held += input.witnessUtxo?.amount ?? 0n;
      transaction.addInput(input);
    }
    const amount = BigInt(Math.round(amountBtc * 1e8));
    transaction.addOutput({
      script: OutScript.encode(Address(getBitcoinNetwork('regtest').addresses).decode(address)),
      amount,
    });
    transaction.addOutput({ script: testKey().script, amount: held - amount - 2000n });
    transaction.sign(this.#signer);
    transaction.finalize();
    return { raw: transaction.extract(), txid: transaction.id };
  }

  /** Signs a replacement of a refund at a higher fee. `without` leaves out the refund output. */
  signAgain(refund: unknown, { without = false, moreFee = 2000n } = {}): { raw: Uint8Array; txid: string } {
    const plan = Transaction.fromPSBT(Buffer.from(textAt(refund, 'psbt'), 'base64'));
    const transaction = new Transaction({ version: 2 });
    for (let vin = 0; vin < plan.inputsLength; vin += 1) transaction.addInput(plan.getInput(vin));
    assert.equal(plan.outputsLength, 2, 'the change pays the fee');
    const [payee, change] = [plan.getOutput(0), plan.getOutput(1)];
    const [paid, kept] = [payee.amount ?? 0n, change.amount ?? 0n];
    if (!without) transaction.addOutput(payee);
    transaction.addOutput({ ...change, amount: kept - moreFee + (without ? paid : 0n) });
    transaction.sign(this.#signer);
    transaction.finalize();
    return { raw: transaction.extract(), txid: transaction.id };
  }

  /** Broadcasts a transaction without the shop. */
  async toNetwork(raw: Uint8Array): Promise<void> {
    const body = Buffer.from(raw).toString('hex');
    const response = await fetch(`${this.shop.url}/dev/esplora/tx`, { method: 'POST', body });
    assert.equal(response.status, 200, await response.text());
  }

  /** Waits until chain sync has read the present chain. */
  syncChain(): Promise<unknown> {
    return this.callDemoTool('clock', { offset_s: 0 });
  }
}

export const refundAmount = (refund: unknown): number => numberAt(refund, 'amount_btc');

async function logInAsStaff(shop: TestShop): Promise<string> {
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'staff', password: 'crypto-market' } });
  return textAt(body, 'tokens', 'accessToken');
}

export async function openRefundShop(settings: Readonly<Record<string, string>> = {}): Promise<RefundShop> {
  const versions = { public: getBitcoinNetwork('regtest').extendedKeys.account, private: 0x04358394 };
  const account = HDKey.fromMasterSeed(randomBytes(32), versions).derive("m/84'/1'/0'");
  const shop = await startTestShop({ settings: { BITCOIN_XPUB: account.publicExtendedKey, ...settings } });
  const { body: product } = await shop.api('GET', '/products/iphone-air');
  const read = readAccountKey(account.publicExtendedKey, 'regtest');
  if (!read.ok) throw new Error(read.message);
  const key = { account: read.account, xpub: account.publicExtendedKey };
  return new RefundShop(shop, key, createHdSigner(account), await logInAsStaff(shop), textAt(product, 'id'));
}

/** The whole shop beside a real node on regtest: buyers who pay out of the node's wallet, and the books of both. */
import assert from 'node:assert/strict';
import type { Bitcoind } from './bitcoind.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import { startTestShop } from './shop.ts';
import type { TestShop } from './shop.ts';
import { newStockBuyer, setStock } from './stock-storm.ts';
import { BILLING } from './storm-buyer.ts';
import { until } from './until.ts';

const MATURE_BLOCKS = 120;
const CHEAP = 'magsafe-charger';

export interface NodeOrder {
  readonly id: string;
  readonly address: string;
  /** What is still missing, in BTC as text. */
  missing(): Promise<string>;
  see(): Promise<{ readonly status: string; readonly state: string; readonly received: number }>;
  /** Until the shop shows this state, and the payment status where one is given. */
  shows(state: string, status?: string): Promise<void>;
}

export class NodeShop {
  readonly shop: TestShop;
  readonly node: Bitcoind;
  readonly orders: NodeOrder[] = [];
  readonly #productId: string;
  #wallet = '';

  private constructor(shop: TestShop, node: Bitcoind, productId: string) {
    this.shop = shop;
    this.node = node;
    this.#productId = productId;
  }

  static async open(node: Bitcoind): Promise<NodeShop> {
    await node.call('createwallet', 'buyers');
    const wallet = String(await node.call('getnewaddress'));
    await node.call('generatetoaddress', MATURE_BLOCKS, wallet);
    const settings = { CHAIN_SOURCE: 'core', CORE_RPC_URL: node.rpcUrl, CORE_COOKIE_FILE: node.cookieFile };
    // On an empty database, so that the walk begins at this chain's tip.
    const shop = await startTestShop({ settings, fresh: true });
    const product = (await shop.api('GET', `/products/${CHEAP}`)).body;
    const id = textAt(product, 'id');
    await setStock(shop, id, 1000);
    const opened = new NodeShop(shop, node, id);
    opened.#wallet = wallet;
    return opened;
  }

  async order(): Promise<NodeOrder> {
    const { shop } = this;
    const token = await newStockBuyer(shop, `node-buyer-${this.orders.length}`, this.#productId);
    const { body, status } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
    assert.equal(status, 201, JSON.stringify(body));
    const id = textAt(body, 'order', 'id');
    const shown = async (): Promise<unknown> => (await shop.api('GET', `/orders/${id}`, { token })).body;
    const see: NodeOrder['see'] = async () => {
      const order = await shown();
      return {
        status: textAt(order, 'order', 'payment_status'),
        state: textAt(order, 'order', 'payment', 'state'),
        received: numberAt(order, 'order', 'payment', 'received_btc'),
      };
    };
    const order: NodeOrder = {
      id,
      address: textAt(body, 'order', 'payment', 'address'),
      missing: async () => {
        const uri = new URL(textAt(await shown(), 'order', 'payment', 'bip21'));
        return uri.searchParams.get('amount') ?? assert.fail('nothing is missing');
      },
      see,
      async shows(state, wanted) {
        const holds = async (): Promise<boolean> => {
          const now = await see();
          return now.state === state && (wanted === undefined || now.status === wanted);
        };
        await until(holds).catch(async () => assert.fail(`${JSON.stringify(await see())}, expected ${state}`));
      },
    };
    this.orders.push(order);
    return order;
  }

  /** Out of the node's wallet; answers the txid. */
  async pay(order: NodeOrder, amount?: string): Promise<string> {
    return String(await this.node.call('sendtoaddress', order.address, amount ?? (await order.missing())));
  }

  async mine(blocks: number, to = this.#wallet): Promise<string[]> {
    const mined = await this.node.call('generatetoaddress', blocks, to);
    assert.ok(Array.isArray(mined));
    return mined.map(String);
  }

  /** Blocks that take nothing out of the mempool. */
  async mineEmpty(blocks: number): Promise<void> {
    for (let left = blocks; left > 0; left -= 1) await this.node.call('generateblock', this.#wallet, []);
  }

  /** Spends what a payment spends back to the wallet, with a higher fee. */
  async doubleSpend(txid: string): Promise<void> {
    const { node } = this;
    const payment = await node.call('getrawtransaction', txid, true);
    const inputs = listAt(payment, 'vin').map((input) => ({
      txid: textAt(input, 'txid'),
      vout: numberAt(input, 'vout'),
    }));
    const sent = listAt(payment, 'vout').reduce((sum: number, output) => sum + numberAt(output, 'value'), 0);
    const raw = await node.call('createrawtransaction', inputs, [{ [this.#wallet]: (sent - 0.001).toFixed(8) }]);
    const signed = await node.call('signrawtransactionwithwallet', raw);
    await node.call('sendrawtransaction', textAt(signed, 'hex'), 0);
  }

  /** Moves the shop's clock, which makes it look at the chain now. */
  async clock(seconds: number): Promise<void> {
    const { status } = await this.shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });
    assert.equal(status, 200);
  }

  async chain(): Promise<string> {
    const ready = await fetch(`${this.shop.url}/readyz`);
    assert.equal(ready.status, 200);
    return textAt(await ready.json(), 'chain');
  }

  /** What the node's own set of coins holds for the shop's addresses, and what the shop's books say, in sats. */
  async books(): Promise<{ readonly node: number; readonly shop: number }> {
    const scan = this.orders.map(({ address }) => `addr(${address})`);
    const found = await this.node.call('scantxoutset', 'start', scan);
    let shop = 0;
    for (const order of this.orders) shop += Math.round((await order.see()).received * 1e8);
    return { node: Math.round(numberAt(found, 'total_amount') * 1e8), shop };
  }

  async rawOf(txid: string): Promise<string> {
    return String(valueAt({ raw: await this.node.call('getrawtransaction', txid) }, 'raw'));
  }

  async stop(): Promise<void> {
    await this.shop.stop();
    await this.node.stop();
  }
}

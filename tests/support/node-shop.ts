/** The complete shop with a real regtest node, a buyers' wallet and a merchant's wallet. */
import assert from 'node:assert/strict';
import { formatDecimalBtc, sats } from '#src/shop/money.ts';
import type { Sats } from '#src/shop/money.ts';
import type { Bitcoind, Rpc } from './bitcoind.ts';
import { BuyersWallet, FEE, toDecimals } from './buyers-wallet.ts';
import type { Outputs } from './buyers-wallet.ts';
import { Merchant } from './merchant.ts';
import { NodeOrder } from './node-order.ts';
import type { StepObserver } from './node-order.ts';
import { listAt, numberAt, textAt } from './read-json.ts';
import { startSpawnedShop } from './spawned-shop.ts';
import type { ApiResponse } from './api-client.ts';
import type { SpawnedShop } from './spawned-shop.ts';
import { setStock } from './stock-stress.ts';
import { BILLING } from './stress-buyer.ts';
import { waitUntil } from './wait-until.ts';

const CHEAP = 'magsafe-charger';
const PASSWORD = 'crypto-market';
const SMALL_FEE = 2_000n;

/** Injects faults around chain steps. */
export interface FaultInjector {
  runWithFaults<T>(nodeShop: NodeShop, work: () => Promise<T>): Promise<T>;
}

export class NodeShop {
  readonly shop: SpawnedShop;
  readonly node: Bitcoind;
  readonly merchant: Merchant;
  readonly orders: NodeOrder[] = [];
  readonly wallet: BuyersWallet;
  /** RPC calls to the buyers' wallet and the node. */
  readonly call: Rpc;
  observer: StepObserver | null = null;
  faults: FaultInjector | null = null;
  /** Number of kills of the shop and stops of the node. */
  readonly counts = { kills: 0, halts: 0 };
  isKilled = false;
  readonly #products = new Map<string, string>();
  #staffToken: string | null = null;
  #clockOffset = 0;
  #settings: Record<string, string> = {};

  private constructor(shop: SpawnedShop, node: Bitcoind, merchant: Merchant, wallet: BuyersWallet) {
    this.shop = shop;
    this.node = node;
    this.merchant = merchant;
    this.wallet = wallet;
    this.call = wallet.call;
  }

  /** Starts the shop. Stops the node on failure. */
  static async open(node: Bitcoind): Promise<NodeShop> {
    try {
      const [wallet, merchant] = [await BuyersWallet.open(node), await Merchant.open(node)];
      const settings = {
        CHAIN_SOURCE: 'core',
        CORE_RPC_URL: node.rpcUrl,
        CORE_COOKIE_FILE: node.cookieFile,
        BITCOIN_XPUB: merchant.xpub,
      };
      // On an empty database, so chain sync starts at the tip of this chain.
      const shop = await startSpawnedShop({ settings, fresh: true });
      return new NodeShop(shop, node, merchant, wallet);
    } catch (error) {
      await node.stop();
      throw error;
    }
  }

  // ---- the shop

  async api(method: 'GET' | 'POST' | 'PUT', path: string, token: string, body?: unknown): Promise<ApiResponse> {
    return this.shop.api(method, path, { token, ...(body === undefined ? {} : { body }) });
  }

  async readBalance(address: string): Promise<Sats> {
    return this.merchant.readBalance(address);
  }

  async #findProduct(slug: string): Promise<string> {
    const known = this.#products.get(slug);
    if (known !== undefined) return known;
    const id = textAt((await this.shop.api('GET', `/products/${slug}`)).body, 'id');
    await setStock(this.shop, id, 1000);
    this.#products.set(slug, id);
    return id;
  }

  /** Places an order as a new buyer. */
  async placeOrder({ slug = CHEAP, quantity = 1 } = {}): Promise<NodeOrder> {
    const product_id = await this.#findProduct(slug);
    const account = { username: `node-buyer-${this.orders.length}`, password: PASSWORD };
    await this.shop.api('POST', '/users/register', { body: { ...account, email: `${account.username}@node.example` } });
    const token = textAt(
      (await this.shop.api('POST', '/users/login', { body: account })).body,
      'tokens',
      'accessToken',
    );
    await this.api('POST', '/cart/add', token, { product_id, quantity });
    const { body, status } = await this.api('POST', '/cart/checkout', token, BILLING);
    assert.equal(status, 201, JSON.stringify(body));
    const order = new NodeOrder(this, { name: account.username, token }, body);
    this.orders.push(order);
    return order;
  }

  /** Calls the API as staff. */
  async callAsStaff(method: 'GET' | 'POST', path: string, body?: unknown): Promise<ApiResponse> {
    this.#staffToken ??= await this.#signIn('staff');
    return this.api(method, path, this.#staffToken, body);
  }

  async findStaffTask(orderId: string): Promise<string | null> {
    for (let page = 1, seen = 0, total = 1; seen < total; page += 1) {
      const { body } = await this.callAsStaff('GET', `/payments/attention?page=${page}`);
      const waiting = listAt(body, 'orders');
      const found = waiting.find((one) => textAt(one, 'order_id') === orderId);
      if (found !== undefined) return textAt(found, 'kind');
      seen += waiting.length;
      total = waiting.length === 0 ? 0 : numberAt(body, 'total');
    }
    return null;
  }

  async #signIn(username: string): Promise<string> {
    const { body } = await this.shop.api('POST', '/users/login', { body: { username, password: PASSWORD } });
    return textAt(body, 'tokens', 'accessToken');
  }

  /** The buyer's session as stored in a browser. */
  async getCookies(name: string): Promise<readonly { readonly name: string; readonly value: string }[]> {
    const body = { username: name, password: PASSWORD };
    const { headers } = await this.shop.api('POST', '/users/login', {
      body,
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    return headers.getSetCookie().map((line) => {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      return { name: key, value };
    });
  }

  /** Moves the shop's clock, which triggers a pass of chain sync. */
  async moveClock(seconds: number): Promise<void> {
    this.#clockOffset = seconds;
    const { status } = await this.shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });
    assert.equal(status, 200);
  }

  /** Triggers a pass of chain sync. */
  async syncChain(): Promise<void> {
    await this.moveClock(this.#clockOffset);
  }

  async readChainState(): Promise<string> {
    const ready = await fetch(`${this.shop.url}/readyz`);
    assert.equal(ready.status, 200);
    return textAt(await ready.json(), 'chain');
  }

  async waitUntilChainUp(): Promise<void> {
    await waitUntil(async () => (await this.readChainState()) === 'up');
  }

  /** Kills the shop with SIGKILL; `restart` starts it again. */
  async kill(): Promise<void> {
    this.counts.kills += 1;
    this.isKilled = true;
    await this.shop.kill9();
  }

  /** Restarts a killed shop with the same clock offset unless given otherwise. */
  async restart({ clock = this.#clockOffset }: { readonly clock?: number } = {}): Promise<void> {
    this.#clockOffset = clock;
    await this.shop.restart(this.#settings);
    this.isKilled = false;
    if (this.#clockOffset !== 0) await this.syncChain();
  }

  /** Sets the rate in dollars and restarts the shop, which reads it at startup. */
  async setRate(usd: number): Promise<void> {
    this.#settings = { ...this.#settings, RATE_SOURCE: `fixed:${usd}` };
    await this.kill();
    await this.restart();
  }

  // ---- the node

  async haltNode(): Promise<void> {
    this.counts.halts += 1;
    await this.node.halt();
  }

  async #act<T>(work: () => Promise<T>): Promise<T> {
    return this.faults === null ? work() : this.faults.runWithFaults(this, work);
  }

  /** Pays from the buyers' wallet, by default the missing amount. Returns the txid. */
  async pay(order: Pick<NodeOrder, 'address' | 'missing'>, amount?: Sats): Promise<string> {
    const amountBtc = amount ?? (await order.missing());
    return this.#act(async () => String(await this.call('sendtoaddress', order.address, formatDecimalBtc(amountBtc))));
  }

  /** Pays several orders in one transaction. */
  async payAll(outputs: Outputs): Promise<string> {
    return this.#act(async () => String(await this.call('sendmany', '', toDecimals(outputs))));
  }

  async mine(blocks: number, to?: string): Promise<string[]> {
    return this.#act(() => this.mineUnwatched(blocks, to));
  }

  /** Mines without injected faults, also while the shop is killed. */
  async mineUnwatched(blocks: number, to?: string): Promise<string[]> {
    const mined = await this.call('generatetoaddress', blocks, to ?? (await this.wallet.createAddress()));
    assert.ok(Array.isArray(mined));
    return mined.map(String);
  }

  /** Mines a block with exactly these transactions, relayed or not. */
  async mineOnly(...raw: readonly string[]): Promise<void> {
    const address = await this.wallet.createAddress();
    await this.#act(async () => this.call('generateblock', address, raw));
  }

  /**
   * Replaces the newest blocks by empty ones, plus one; their transactions are unconfirmed
   * again.
   */
  async reorganise(depth: number): Promise<void> {
    const height = Number(await this.call('getblockcount'));
    const first = await this.call('getblockhash', height - depth + 1);
    const address = await this.wallet.createAddress();
    await this.#act(async () => {
      await this.call('invalidateblock', first);
      for (let left = depth + 1; left > 0; left -= 1) await this.call('generateblock', address, []);
    });
  }

  async send(raw: string): Promise<string> {
    // 0 disables the fee limit.
    return this.#act(async () => String(await this.call('sendrawtransaction', raw, 0)));
  }

  /**
   * Spends the coins of a transaction at a higher fee: to the given outputs, the rest back to
   * the buyers.
   */
  async doubleSpend(txid: string, outputs: Outputs = {}): Promise<string> {
    const { wallet } = this;
    const spent = Object.values(outputs).reduce((total: bigint, amount) => total + amount, 0n);
    const rest = (await wallet.readAmountPaidBy(txid)) - spent - FEE;
    assert.ok(rest > 0n, 'the transaction leaves nothing for a fee');
    const all = { ...outputs, [await wallet.createAddress()]: sats(rest) };
    return this.send(await wallet.signTransaction(await wallet.listInputs(txid), all));
  }

  /**
   * The merchant spends the coins of a refund at a higher fee, to an address that belongs to no buyer.
   */
  async spendElsewhere(txid: string): Promise<void> {
    const { wallet, merchant } = this;
    const amount = sats((await wallet.readAmountPaidBy(txid)) - SMALL_FEE);
    const outputs = toDecimals({ [String(await merchant.call('getrawchangeaddress', 'bech32'))]: amount });
    const raw = await this.call('createrawtransaction', await wallet.listInputs(txid), outputs);
    await this.send(textAt(await merchant.call('signrawtransactionwithwallet', raw), 'hex'));
  }

  /** Confirms pending transactions and resets time and rate. */
  async cleanUp(): Promise<void> {
    if (this.isKilled) await this.restart();
    await this.mineUnwatched(1);
    await this.moveClock(0);
    if (this.#settings['RATE_SOURCE'] !== undefined) {
      this.#settings = {};
      await this.shop.restart();
    }
  }

  async stop(): Promise<void> {
    try {
      await this.shop.stop();
    } finally {
      await this.node.stop();
    }
  }
}

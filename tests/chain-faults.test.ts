/**
 * A chain source that is down, slow, wrong or on another network: no order is paid or expires, and
 * sales continue.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import type { Devchain } from '#src/shop/demo/devchain/devchain.ts';
import { registerEsplora } from '#src/shop/demo/devchain/esplora-http.ts';
import './support/built-pages.ts';
import { formatCoreUrl, openDevchain } from './support/chain-sources.ts';
import { createFakeCore } from './support/fake-core.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import type { Exchange, Fault } from './support/fault-proxy.ts';
import { textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { Settings } from './support/shop-process.ts';
import type { TestShop } from './support/shop.ts';
import { createStockBuyer, setStock } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

const AFTER_THE_WINDOW_S = 7300;
const ENOUGH_BLOCKS = 7;
const NOBODY = 'ab'.repeat(32);

let devchain: Devchain;
const servers = [Fastify(), Fastify()] as const;
before(async () => {
  devchain = await openDevchain();
});
after(() => Promise.all(servers.map((server) => server.close())));

/** Below the blocks that are mined during a fault, so the shop has newer ones. */
const OLD_DEPTH = 12;
const getOldHeight = (): number => devchain.state.tip.height - OLD_DEPTH;
const getOldHash = (): string => devchain.state.findBlockAt(getOldHeight())?.hash ?? '';

interface Kind {
  readonly name: string;
  readonly open: () => Promise<string>;
  readonly createSettings: (proxyUrl: string) => Settings;
  readonly wrongResponses: Readonly<Record<string, Fault>>;
}

const createEsploraFault =
  (path: RegExp, lie: (body: Buffer) => Buffer | string): Fault =>
  (exchange: Exchange) =>
    path.test(exchange.path) ? lie(exchange.body) : exchange.body;

/** Changes the result of one Core method, alone or in a batch. */
const createCoreFault =
  (method: string, lie: (result: unknown) => unknown): Fault =>
  ({ request, body }: Exchange) =>
    request.includes(`"${method}"`)
      ? JSON.stringify({ ...parseBody(body), result: lie(parseBody(body)['result']) })
      : body;

const parseBody = (body: Buffer): Record<string, unknown> => {
  const value: unknown = JSON.parse(body.toString());
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

const FIRST_TRANSACTION_AT = 81;
/** Flips one bit of a block's first transaction. */
function alterTransaction(raw: Buffer): Buffer {
  const copy = Buffer.from(raw);
  copy[FIRST_TRANSACTION_AT] = (copy[FIRST_TRANSACTION_AT] ?? 0) ^ 1;
  return copy;
}

let turn = 0;
const kinds: readonly Kind[] = [
  {
    name: 'esplora',
    async open() {
      registerEsplora(servers[0], devchain, '/api');
      return `${await servers[0].listen({ host: '127.0.0.1', port: 0 })}/api`;
    },
    createSettings: (url) => ({ CHAIN_SOURCE: 'esplora', ESPLORA_URL: `${url}/` }),
    wrongResponses: {
      'another network': (exchange) =>
        exchange.path.endsWith('/tip/hash') || /\/block-height\/\d+$/.test(exchange.path)
          ? createHash('sha256').update(exchange.path).digest('hex')
          : exchange.body,
      'an unknown tip': createEsploraFault(/\/tip\/hash$/, () => NOBODY),
      'an old tip': createEsploraFault(/\/tip\/hash$/, getOldHash),
      'altered blocks': createEsploraFault(/\/block\/.*\/raw$/, alterTransaction),
      'truncated blocks': createEsploraFault(/\/block\/.*\/raw$/, (body) => body.subarray(0, body.length - 60)),
      'other blocks than requested': createEsploraFault(
        /\/block\/.*\/raw$/,
        () => devchain.state.findBlockAt(7)?.raw ?? '',
      ),
      'a tip that changes': createEsploraFault(/\/tip\/hash$/, (body) => ((turn += 1) % 2 === 0 ? body : getOldHash())),
    },
  },
  {
    name: 'core',
    async open() {
      const app = createFakeCore(devchain);
      after(() => app.close());
      return app.listen({ host: '127.0.0.1', port: 0 });
    },
    createSettings: (url) => ({ CHAIN_SOURCE: 'core', CORE_RPC_URL: formatCoreUrl(url) }),
    wrongResponses: {
      'another network': createCoreFault('getblockchaininfo', (info) => ({ ...Object(info), chain: 'main' })),
      'headers of future blocks': createCoreFault('getblockchaininfo', (info) => ({
        ...Object(info),
        headers: 900_000,
      })),
      'an old tip': createCoreFault('getblockchaininfo', (info) => ({
        ...Object(info),
        blocks: getOldHeight(),
        headers: getOldHeight(),
        bestblockhash: getOldHash(),
      })),
    },
  },
];

const FAULTS: Readonly<Record<string, Fault>> = {
  down: 'down',
  truncated: 'truncated',
  garbage: 'garbage',
  busy: 'busy',
  failing: 'failing',
};

const SLOWLY_MS = 250;
/** Faults that only delay: the response is late or never arrives. */
const DELAYS: Readonly<Record<string, Fault>> = {
  slow: async ({ body }) => {
    await sleep(SLOWLY_MS);
    return body;
  },
  silent: 'silent',
};

for (const kind of kinds) {
  test(`[PAY-09] [PAY-10] faults of ${kind.name} neither pay nor expire an order`, async (context) => {
    const proxy = new FaultProxy(await kind.open());
    const url = await proxy.listen();
    const shop = await startTestShop({ settings: kind.createSettings(url) });
    context.after(async () => {
      await shop.stop();
      await proxy.close();
    });
    const productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
    await setStock(shop, productId, 1000);
    const life = new LifeOfOrders(shop, productId, kind.name);
    await waitUntil(() => life.isChain('up'));
    for (const [name, fault] of Object.entries({ ...FAULTS, ...kind.wrongResponses })) {
      await context.test(name, async () => {
        try {
          await life.runUnder(proxy, fault, name !== 'a tip that changes');
        } finally {
          proxy.fault = null;
          await life.syncAt(0);
        }
      });
    }
    for (const [name, fault] of Object.entries(DELAYS)) {
      await context.test(name, () => life.expectDelay(proxy, fault));
    }
    assert.ok(!shop.readOutput().includes('pass:word'), 'no password in the log');
  });
}

class LifeOfOrders {
  readonly #shop: TestShop;
  readonly #productId: string;
  readonly #prefix: string;
  #buyers = 0;

  constructor(shop: TestShop, productId: string, prefix: string) {
    this.#shop = shop;
    this.#productId = productId;
    this.#prefix = prefix;
  }

  async runUnder(proxy: FaultProxy, fault: Fault, isFelt: boolean): Promise<void> {
    const paid = await this.#createOrder();
    const unpaid = await this.#createOrder();
    proxy.fault = fault;
    const sent = await devchain.pay(paid.address, paid.dueSats);
    assert.ok(sent.ok);
    await devchain.mine(ENOUGH_BLOCKS);
    await this.syncAt(AFTER_THE_WINDOW_S);
    if (isFelt) assert.ok(await this.isChain('down'), 'the chain source counts as down');
    assert.equal(await unpaid.status(), 'pending');
    // A source that fails on every second call has returned valid blocks by then.
    if (isFelt) assert.deepEqual(await paid.check(), { success: false, isPaid: false });
    // Sales continue.
    const duringFault = await this.#createOrder();
    assert.equal(await duringFault.status(), 'pending');
    proxy.fault = null;
    await this.syncAt(AFTER_THE_WINDOW_S);
    await waitUntil(() => this.isChain('up'));
    await waitUntil(async () => (await paid.status()) === 'paid');
    await waitUntil(async () => (await unpaid.status()) === 'expired');
    assert.equal(await duringFault.status(), 'pending');
  }

  /** While the source delays, only known data has effects; after it responds, everything does. */
  async expectDelay(proxy: FaultProxy, fault: Fault): Promise<void> {
    const paid = await this.#createOrder();
    const unpaid = await this.#createOrder();
    proxy.fault = fault;
    const sent = await devchain.pay(paid.address, paid.dueSats);
    assert.ok(sent.ok);
    await devchain.mine(ENOUGH_BLOCKS);
    const requestsBefore = proxy.requests;
    const looking = this.syncAt(AFTER_THE_WINDOW_S);
    await waitUntil(() => proxy.requests > requestsBefore);
    const duringFault = await this.#createOrder();
    if (fault === 'silent') {
      // Time in which code that does not wait for the source would act.
      await sleep(1000);
      assert.deepEqual([await unpaid.status(), await paid.status()], ['pending', 'pending']);
      proxy.hangUp();
    }
    assert.notEqual(await paid.status(), 'expired');
    proxy.fault = null;
    await looking;
    await waitUntil(async () => (await paid.status()) === 'paid');
    await waitUntil(async () => (await unpaid.status()) === 'expired');
    assert.equal(await duringFault.status(), 'pending');
    await this.syncAt(0);
  }

  async isChain(state: string): Promise<boolean> {
    const ready = await fetch(`${this.#shop.url}/readyz`);
    const readiness: unknown = await ready.json();
    assert.equal(ready.status, 200, 'the shop is ready during a fault');
    return textAt(readiness, 'chain') === state;
  }

  /** Moves the shop's clock, which triggers a pass of chain sync. */
  async syncAt(seconds: number): Promise<void> {
    const { status } = await this.#shop.api('POST', '/dev/clock', { body: { offset_s: seconds } });
    assert.equal(status, 200);
  }

  async #createOrder() {
    const shop = this.#shop;
    const token = await createStockBuyer(shop, `${this.#prefix}-${(this.#buyers += 1)}`, this.#productId);
    const { body, status } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
    assert.equal(status, 201, JSON.stringify(body));
    const id = textAt(body, 'order', 'id');
    const bip21 = new URL(textAt(body, 'order', 'payment', 'bip21'));
    const dueSats = BigInt(Math.round(Number(bip21.searchParams.get('amount')) * 1e8));
    return {
      address: textAt(body, 'order', 'payment', 'address'),
      dueSats,
      status: async () => textAt((await shop.api('GET', `/orders/${id}`, { token })).body, 'order', 'payment_status'),
      check: async () => {
        const response = (await shop.api('GET', `/payments/check/${id}`, { token })).body;
        return { success: valueAt(response, 'success'), isPaid: valueAt(response, 'isPaid') };
      },
    };
  }
}

/** The kinds of edits that staff make in the edit stress test. A new kind is one more entry of `EDIT_KINDS`. */
import { keysAt, listAt, numberAt, textAt, valueAt } from '../read-json.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Method, PoolRequest, PoolResponse } from './process-pool.ts';
import type { StockRequest } from './stock-oracle.ts';

export interface EditContext {
  readonly random: SeededRandom;
  /** A call as staff. */
  readonly call: (method: Method, path: string, request?: Pick<PoolRequest, 'body' | 'key'>) => Promise<PoolResponse>;
  /** Products that staff edit and buyers buy. */
  readonly productIds: readonly string[];
  /** Their variants whose stock is tracked. */
  readonly variantIds: readonly string[];
  readonly promotions: PromotionPool;
  /** Everything that staff asked for, also what was refused. */
  readonly stockRequests: Map<string, StockRequest>;
}

/** Promotions of this run. */
interface PromotionPool {
  readonly ids: Set<string>;
  readonly codes: Set<string>;
}

/** What an acknowledged edit stored: `id version`, or the key of a change of stock. */
export interface StoredEdit {
  readonly version?: string;
  readonly stockKey?: string;
}

export interface EditResult {
  readonly response: PoolResponse;
  /** Null if it was refused. */
  readonly stored: readonly StoredEdit[] | null;
}

type Edit = (context: EditContext) => Promise<EditResult>;

const PUBLISHED = 'published';

const isDone = ({ status }: PoolResponse): boolean => status < 400;
const toFields = (value: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(keysAt(value).map((key) => [key, valueAt(value, key)]));
const randomDollars = (random: SeededRandom): number => (500 + random.pickBelow(150_000)) / 100;

async function readProduct({ call, random, productIds }: EditContext, id = random.pick(productIds)) {
  const { body } = await call('GET', `/catalogue/products/${id}`);
  const product = valueAt(body, 'product');
  return { id, version: numberAt(product, 'version'), state: textAt(product, 'state'), product };
}

type ReadProduct = Awaited<ReturnType<typeof readProduct>>;

const toResult = (response: PoolResponse, toStored: () => readonly StoredEdit[]): EditResult => ({
  response,
  stored: isDone(response) ? toStored() : null,
});

const toProductResult = (response: PoolResponse, id: string): EditResult =>
  toResult(response, () => [{ version: `${id} ${numberAt(response.body, 'product', 'version')}` }]);

/** Saves the content of a product with one list replaced, and publishes it. */
async function saveContent(
  { call }: EditContext,
  { id, version, product }: ReadProduct,
  change: Readonly<Record<string, unknown>>,
): Promise<EditResult> {
  const content = { ...toFields(valueAt(product, 'content')), ...change };
  return toProductResult(
    await call('PUT', `/catalogue/products/${id}`, { body: { version, publish: true, content } }),
    id,
  );
}

/** Changes one entry of a list of the content. */
function changeOne(
  { random }: EditContext,
  { product }: ReadProduct,
  list: string,
  change: (entry: unknown) => Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const entries = listAt(product, 'content', list);
  if (entries.length === 0) return { base_price_usd: randomDollars(random) };
  const at = random.pickBelow(entries.length);
  return { [list]: entries.map((entry, index) => (index === at ? { ...toFields(entry), ...change(entry) } : entry)) };
}

async function bulkEdit(context: EditContext, change: object, products: readonly ReadProduct[]): Promise<EditResult> {
  const body = { products: products.map(({ id, version }) => ({ id, version })), change };
  const response = await context.call('POST', '/catalogue/bulk-edits', { body });
  const changed = isDone(response) ? numberAt(response.body, 'changed') : 0;
  // Products that the change does not apply to stay as they are.
  return toResult(response, () =>
    changed === products.length ? products.map(({ id, version }) => ({ version: `${id} ${version + 1}` })) : [],
  );
}

async function readSeveral(context: EditContext): Promise<readonly ReadProduct[]> {
  const count = 1 + context.random.pickBelow(3);
  const ids = new Set(Array.from({ length: count }, () => context.random.pick(context.productIds)));
  return Promise.all([...ids].map((id) => readProduct(context, id)));
}

async function publish(context: EditContext): Promise<EditResult> {
  const { body } = await context.call('GET', '/catalogue/products?state=withdrawn');
  const withdrawn = listAt(body, 'products').map((product) => textAt(product, 'id'));
  const id = withdrawn.find((one) => context.productIds.includes(one));
  return bulkEdit(context, { kind: 'publish' }, [await readProduct(context, id)]);
}

let requests = 0;

async function changeStock(context: EditContext, change: StockRequest['change']): Promise<EditResult> {
  const { call, random, variantIds, stockRequests } = context;
  const variantId = random.pick(variantIds);
  const key = `edit-stress-${(requests += 1)}`;
  stockRequests.set(key, { key, variantId, change });
  const response = await (change.kind === 'adjust'
    ? call('POST', `/inventory/${variantId}/adjustments`, { key, body: { by: change.by, reason: 'received' } })
    : setStock(context, variantId, key, change));
  return toResult(response, () => [{ stockKey: key }]);
}

async function setStock(
  { call }: EditContext,
  variantId: string,
  key: string,
  { of, quantity }: Extract<StockRequest['change'], { kind: 'set' }>,
): Promise<PoolResponse> {
  const { body } = await call('GET', `/inventory/${variantId}`);
  const seen = numberAt(body, 'variant', of);
  return call('PUT', `/inventory/${variantId}`, { key, body: { of, quantity, seen, reason: 'counted' } });
}

const minutes = (from: number): string => new Date(Date.now() + from * 60_000).toISOString();
const togglePublished = (variant: unknown) => ({ is_published: valueAt(variant, 'is_published') !== true });

/** Fields of a promotion. Some are over, not begun, limited, or have a minimum. */
function createPromotionFields({ random, productIds }: EditContext, code: string) {
  const type = random.pick(['fixed_percent', 'fixed_amount', 'extra_discount', 'free_item'] as const);
  return {
    code,
    type,
    discount_value: type === 'free_item' ? 0 : (100 + random.pickBelow(6_000)) / 100,
    gift_product_id: type === 'free_item' ? random.pick(productIds) : null,
    starts_at: random.isOneIn(8) ? minutes(random.isOneIn(2) ? 60 : -60) : null,
    ends_at: random.isOneIn(6) ? minutes(random.isOneIn(2) ? 90 : -1) : null,
    minimum_subtotal_usd: random.isOneIn(3) ? 10 + random.pickBelow(2_000) : null,
    max_uses: random.isOneIn(2) ? 1 + random.pickBelow(12) : null,
    max_uses_per_user: random.isOneIn(3) ? 1 + random.pickBelow(2) : null,
    is_active: true,
    is_advertised: !random.isOneIn(4),
    position: random.pickBelow(20),
  };
}

const toPromotionResult = (response: PoolResponse): EditResult =>
  toResult(response, () => [
    { version: `${textAt(response.body, 'promotion', 'id')} ${numberAt(response.body, 'promotion', 'version')}` },
  ]);

export async function createPromotion(context: EditContext): Promise<EditResult> {
  const { call, promotions } = context;
  const code = `STRESS-${promotions.codes.size + 1}`;
  promotions.codes.add(code);
  const response = await call('POST', '/support/promotions', { body: createPromotionFields(context, code) });
  if (isDone(response)) promotions.ids.add(textAt(response.body, 'promotion', 'id'));
  return toPromotionResult(response);
}

async function changePromotion(context: EditContext): Promise<EditResult> {
  const { call, random, promotions } = context;
  const id = random.pick([...promotions.ids]);
  const read = await call('GET', `/support/promotions/${id}`);
  const code = textAt(read.body, 'promotion', 'code');
  const version = numberAt(read.body, 'promotion', 'version');
  const body = { ...createPromotionFields(context, code), version };
  return toPromotionResult(await call('PUT', `/support/promotions/${id}`, { body }));
}

const switchPromotion = (action: 'enable' | 'disable'): Edit => {
  return async ({ call, random, promotions }) =>
    toPromotionResult(await call('POST', `/support/promotions/${random.pick([...promotions.ids])}/${action}`));
};

const toSalePriceResult = (response: PoolResponse): EditResult =>
  toResult(response, () =>
    listAt(response.body, 'sale_prices').map((sale) => ({
      version: `${textAt(sale, 'id')} ${numberAt(sale, 'version')}`,
    })),
  );

const createReduction = (random: SeededRandom, prices: unknown): object => {
  if (!random.isOneIn(3)) return { kind: 'percent', percent: (100 + random.pickBelow(6_000)) / 100 };
  const share = 0.3 + random.pickBelow(60) / 100;
  const reduce = (usd: number): number => Math.round(usd * share * 100) / 100;
  const variant_prices = listAt(prices, 'own_prices')
    .filter(() => random.isOneIn(2))
    .map((own) => ({ value_ids: valueAt(own, 'value_ids'), price_usd: reduce(numberAt(own, 'price_usd')) }));
  return { kind: 'amount', price_usd: reduce(numberAt(prices, 'base_price_usd')), variant_prices };
};

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

/** Times within the run, so that many start and end by the clock. */
function createSaleTimes(random: SeededRandom) {
  const start = random.isOneIn(2) ? null : (5 + random.pickBelow(40)) / 10;
  return {
    starts_at: start === null ? null : inSeconds(start),
    ends_at: random.isOneIn(4) ? null : inSeconds((start ?? 0) + 1 + random.pickBelow(60) / 10),
  };
}

async function schedulePrice({ call, random, productIds }: EditContext): Promise<EditResult> {
  const path = `/catalogue/products/${random.pick(productIds)}/sale-prices`;
  const { body: prices } = await call('GET', path);
  const body = { reduction: createReduction(random, prices), ...createSaleTimes(random) };
  return toSalePriceResult(await call('POST', path, { body }));
}

/** Finds a sale price in one of these states; schedules one if the product has none. */
const changeSalePrice = (
  states: readonly string[],
  change: (context: EditContext, found: { readonly sale: unknown; readonly prices: unknown }) => Promise<PoolResponse>,
): Edit => {
  return async (context) => {
    const ids = context.productIds.toSorted(() => context.random.pickBelow(3) - 1);
    for (const id of ids) {
      const { body: prices } = await context.call('GET', `/catalogue/products/${id}/sale-prices`);
      const sale = listAt(prices, 'sale_prices').find((one) => states.includes(textAt(one, 'state')));
      if (sale !== undefined) return toSalePriceResult(await change(context, { sale, prices }));
    }
    return schedulePrice(context);
  };
};

const changeTerms = changeSalePrice(['scheduled', 'running'], ({ call, random }, { sale, prices }) => {
  const isRunning = textAt(sale, 'state') === 'running';
  const { starts_at, ends_at } = createSaleTimes(random);
  const reduction = isRunning ? valueAt(sale, 'reduction') : createReduction(random, prices);
  const body = { version: valueAt(sale, 'version'), reduction, starts_at: isRunning ? null : starts_at, ends_at };
  return call('PUT', `/catalogue/sale-prices/${textAt(sale, 'id')}`, { body });
});

const callSalePrice = (states: readonly string[], method: Method, action: string): Edit =>
  changeSalePrice(states, ({ call }, { sale }) => {
    const body = { version: valueAt(sale, 'version') };
    return call(method, `/catalogue/sale-prices/${textAt(sale, 'id')}${action}`, { body });
  });

interface EditKind {
  readonly name: string;
  /** How often it is made, relative to the others. */
  readonly weight: number;
  readonly run: Edit;
}

const EDIT_KINDS: readonly EditKind[] = [
  {
    name: 'price',
    weight: 6,
    run: async (context) =>
      bulkEdit(context, { kind: 'price-set', usd: randomDollars(context.random) }, await readSeveral(context)),
  },
  {
    name: 'price by percent',
    weight: 2,
    run: async (context) =>
      bulkEdit(
        context,
        { kind: 'price-percent', percent: context.random.pick([-25, -10, 10, 20]) },
        await readSeveral(context),
      ),
  },
  {
    name: 'increase of a value',
    weight: 2,
    run: async (context) => {
      const read = await readProduct(context);
      const change = { increase_usd: context.random.pickBelow(20_000) / 100 };
      return saveContent(
        context,
        read,
        changeOne(context, read, 'values', () => change),
      );
    },
  },
  {
    name: 'own price of a variant',
    weight: 3,
    run: async (context) => {
      const read = await readProduct(context);
      const own_price_usd = context.random.isOneIn(3) ? null : randomDollars(context.random);
      return saveContent(
        context,
        read,
        changeOne(context, read, 'variants', () => ({ own_price_usd })),
      );
    },
  },
  {
    name: 'variant published or withdrawn',
    weight: 3,
    run: async (context) => {
      const read = await readProduct(context);
      return saveContent(context, read, changeOne(context, read, 'variants', togglePublished));
    },
  },
  {
    name: 'product withdrawn',
    weight: 3,
    run: async (context) => {
      const read = await readProduct(context);
      if (read.state !== PUBLISHED) return publish(context);
      const { id, version } = read;
      return toProductResult(
        await context.call('POST', `/catalogue/products/${id}/withdraw`, { body: { version } }),
        id,
      );
    },
  },
  { name: 'product published', weight: 4, run: publish },
  {
    name: 'stock set',
    weight: 3,
    run: (context) =>
      changeStock(context, {
        kind: 'set',
        of: context.random.pick(['on_hand', 'available']),
        quantity: context.random.pickBelow(12),
      }),
  },
  {
    name: 'stock adjusted',
    weight: 6,
    run: (context) => changeStock(context, { kind: 'adjust', by: context.random.pick([-2, -1, 1, 2, 3, 5]) }),
  },
  { name: 'sale price scheduled', weight: 4, run: schedulePrice },
  { name: 'sale price changed', weight: 2, run: changeTerms },
  { name: 'sale price ended', weight: 2, run: callSalePrice(['running'], 'POST', '/end') },
  { name: 'sale price deleted', weight: 1, run: callSalePrice(['scheduled'], 'DELETE', '') },
  { name: 'promotion created', weight: 1, run: createPromotion },
  { name: 'promotion changed', weight: 4, run: changePromotion },
  { name: 'promotion disabled', weight: 1, run: switchPromotion('disable') },
  { name: 'promotion enabled', weight: 2, run: switchPromotion('enable') },
];

/** A kind by its weight. */
export function pickEditKind(random: SeededRandom): EditKind {
  return random.pick(EDIT_KINDS.flatMap((kind) => Array.from({ length: kind.weight }, () => kind)));
}

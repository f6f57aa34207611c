/** Exchanges in a test shop, by the calls of buyer and staff. */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { readCoins } from '#src/shop/payments/ledger/payouts.store.ts';
import type { ApiResponse } from './api-client.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import type { Buyer, RefundShop } from './refund-shop.ts';
import { openReturns } from './returns.ts';
import type { Condition, ReturnCalls } from './returns.ts';
import { runWithShopDatabase } from './stock-stress.ts';

interface OfferedVariant {
  readonly variantId: string;
  readonly price: number;
}

export class ExchangeCalls {
  readonly #shop: RefundShop;
  readonly returns: ReturnCalls;

  constructor(shop: RefundShop) {
    this.#shop = shop;
    this.returns = openReturns(shop);
  }

  restocked(units: number): Condition {
    return { restocked: units, damaged: 0, sent_back: 0, condition: '', deduction_usd: 0, deduction_reason: '' };
  }

  /** A shipped order of units of $999 whose return is inspected. */
  async createInspected(
    units: number,
  ): Promise<{ readonly buyer: Buyer; readonly id: string; readonly returnId: string }> {
    const { buyer, id } = await this.returns.createShippedOrder(units);
    return { buyer, id, returnId: await this.inspect(buyer, id, units) };
  }

  async inspect(buyer: Buyer, id: string, units: number): Promise<string> {
    const requested = await this.returns.request(buyer, id, units);
    assert.equal(requested.status, 201, JSON.stringify(requested.body));
    const returnId = textAt(requested.body, 'return', 'id');
    await this.returns.receiveAndInspect(returnId, units, this.restocked(units));
    return returnId;
  }

  /** Variants that the unit of a return can be exchanged for, by their price, and its own. */
  async readVariants(returnId: string): Promise<{
    readonly own: string;
    readonly same: OfferedVariant;
    readonly dearer: OfferedVariant;
    readonly cheaper: OfferedVariant;
  }> {
    const offered = listAt(await this.returns.read(returnId), 'exchange', 0, 'variants').map((one) => ({
      variantId: textAt(one, 'variant_id'),
      price: numberAt(one, 'price_usd'),
    }));
    const own = await this.#readOwn(returnId);
    const find = (fits: (price: number) => boolean): OfferedVariant => {
      const found = offered.find(({ price }) => fits(price));
      return found ?? { variantId: own.id, price: own.price };
    };
    return {
      own: own.id,
      same: find((price) => price === own.price),
      dearer: find((price) => price > own.price),
      cheaper: find((price) => price < own.price),
    };
  }

  async #readOwn(returnId: string): Promise<{ readonly id: string; readonly price: number }> {
    return runWithShopDatabase(this.#shop.shop, async (db) => {
      const { rows } = await sql<{ id: string; price: bigint }>`
        select variant_id as id, price_cents as price from order_lines line
        join return_lines taken on taken.order_id = line.order_id and taken.position = line.position
        where return_id = ${returnId}
      `.execute(db);
      const [row] = rows;
      return row === undefined ? assert.fail('there is no line') : { id: row.id, price: Number(row.price) / 100 };
    });
  }

  preview(returnId: string, variantId: string): Promise<ApiResponse> {
    const lines = [{ position: 0, variant_id: variantId }];
    return this.#shop.post(`/support/returns/${returnId}/exchange/preview`, { lines });
  }

  /** @param total that staff saw; omitted: the present one */
  async exchange(returnId: string, variantId: string, total?: number): Promise<ApiResponse> {
    const priced = await this.preview(returnId, variantId);
    const seen = total ?? (priced.status === 200 ? numberAt(priced.body, 'total_usd') : 999);
    const lines = [{ position: 0, variant_id: variantId }];
    return this.returns.step(returnId, 'exchange', { lines, expected_total_usd: seen });
  }

  /** A step that should be refused. */
  press(returnId: string, action: string, { price, variantId }: OfferedVariant): Promise<ApiResponse> {
    const exchange = { lines: [{ position: 0, variant_id: variantId }], expected_total_usd: price };
    const bodies: Readonly<Record<string, object>> = { exchange, refund: this.returns.anyWallet };
    return this.returns.step(returnId, action, bodies[action] ?? { reason: 'Again' });
  }

  async readOrder({ token }: Buyer, id: string): Promise<unknown> {
    const { body, status } = await this.#shop.shop.api('GET', `/orders/${id}`, { token });
    assert.equal(status, 200, JSON.stringify(body));
    return valueAt(body, 'order');
  }

  async countOrders({ token }: Buyer): Promise<number> {
    return listAt((await this.#shop.post('/orders/history', {}, token)).body, 'orders').length;
  }

  /** Fills the cart with the product of the tests. */
  async fillCart({ token }: Buyer): Promise<void> {
    const { body } = await this.#shop.shop.api('GET', '/products/iphone-air');
    const added = await this.#shop.post('/cart/add', { product_id: textAt(body, 'id'), quantity: 1 }, token);
    assert.equal(added.status, 200, JSON.stringify(added.body));
  }

  // ---- stock, money

  readStock(variantId: string): Promise<number> {
    return runWithShopDatabase(this.#shop.shop, async (db) => {
      const { rows } = await sql<{ available: number }>`
        select available from variant_stock where variant_id = ${variantId}
      `.execute(db);
      return rows[0]?.available ?? assert.fail('its stock is not tracked');
    });
  }

  setStock(variantId: string, available: number): Promise<unknown> {
    return runWithShopDatabase(this.#shop.shop, (db) =>
      sql`insert into variant_stock (variant_id, available) values (${variantId}, ${available})
        on conflict (variant_id) do update set available = excluded.available`.execute(db),
    );
  }

  /** Tracks the stock of all variants of the product of the tests. */
  stockAll(available: number): Promise<unknown> {
    return runWithShopDatabase(this.#shop.shop, (db) =>
      sql`insert into variant_stock (variant_id, available)
        select variant.id, ${available}::integer from product_variants variant join products on products.id = product_id
        where slug = 'iphone-air'
        on conflict (variant_id) do update set available = excluded.available`.execute(db),
    );
  }

  findVariantOfAnotherProduct(): Promise<string> {
    return runWithShopDatabase(this.#shop.shop, async (db) => {
      const { rows } = await sql<{ id: string }>`
        select variant.id from product_variants variant join products on products.id = product_id
        where slug <> 'iphone-air' and variant.is_published limit 1
      `.execute(db);
      return rows[0]?.id ?? assert.fail('there is no other product');
    });
  }

  /** Satoshis of the payments of an order that count as coins, which can pay refunds. */
  listOwnCoins(orderId: string): Promise<readonly bigint[]> {
    return runWithShopDatabase(this.#shop.shop, async (db) => {
      const { rows } = await sql<{ txid: string; account: string }>`
        select encode(output.txid, 'hex') as txid, account from payment_outputs output
        join order_addresses using (order_id) where output.order_id = ${orderId}
      `.execute(db);
      const coins = await readCoins(db, rows[0]?.account ?? '', orderId, 100);
      assert.ok(coins.length > 0, 'other orders have coins');
      return coins.filter(({ txid }) => rows.some((own) => own.txid === txid)).map(({ amountSats }) => amountSats);
    });
  }

  /** Credits less the refunds that they are, in satoshis. */
  sumLedger(): Promise<bigint> {
    return runWithShopDatabase(this.#shop.shop, async (db) => {
      const { rows } = await sql<{ sum: bigint }>`
        select (select coalesce(sum(amount_sats), 0) from payment_outputs where credit_refund_id is not null)::bigint
          - (select coalesce(sum(amount_sats), 0) from refunds where credited_order_id is not null)::bigint as sum
      `.execute(db);
      return rows[0]?.sum ?? 0n;
    });
  }

  /** Signs and sends a refund. */
  async sendRefund(refund: unknown): Promise<void> {
    const { psbt } = this.#shop.sign(refund);
    const sent = await this.#shop.post(`/refunds/${textAt(refund, 'id')}/broadcast`, { psbt });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
  }
}

export const openExchanges = (shop: RefundShop): ExchangeCalls => new ExchangeCalls(shop);

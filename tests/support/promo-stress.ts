/**
 * Stress test of a promo code with one use left: many buyers order concurrently over HTTP, in
 * rounds.
 */
import { sql } from 'kysely';
import { addPromotion } from './add-promotion.ts';
import { listAt, textAt, valueAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';
import { runWithShopDatabase, createStockBuyer } from './stock-stress.ts';
import { BILLING } from './stress-buyer.ts';

export interface PromoStressReport {
  /** Rounds without exactly one use of the code, or with a changed cart. */
  readonly wrong: readonly string[];
  /** How often each refusal occurred: status, code and message. */
  readonly refused: ReadonlyMap<string, number>;
  readonly milliseconds: number;
}

const CODE = 'LAST-ONE';

interface Uses {
  readonly uses: number;
  readonly orders: number;
}

/** In each round all buyers check out, then the successful one cancels, which restores the use. */
export async function stressPromo(shop: TestShop, rounds: number, buyers: number): Promise<PromoStressReport> {
  const productId = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  await runWithShopDatabase(shop, (db) => addPromotion(db, { code: CODE, maxUses: 1 }));
  const tokens: string[] = [];
  for (let index = 0; index < buyers; index += 1) {
    const token = await createStockBuyer(shop, `promo-${index}`, productId);
    await shop.api('POST', '/promocodes/apply', { token, body: { code: CODE } });
    tokens.push(token);
  }
  const wrong: string[] = [];
  const refused = new Map<string, number>();
  const began = performance.now();
  await runWithShopDatabase(shop, async (db) => {
    const readUses = async (): Promise<string> => {
      const { rows } = await sql<Uses>`select uses, (select count(*)::integer from promotion_uses
          where promotion_id = promotions.id) as orders from promotions where code = ${CODE}`.execute(db);
      return `${rows[0]?.uses} counted, ${rows[0]?.orders} stored`;
    };
    for (let round = 0; round < rounds; round += 1) {
      const checkout = (token: string): Promise<ApiResponse> =>
        shop.api('POST', '/cart/checkout', { token, body: BILLING });
      const responses = await Promise.all(tokens.map(checkout));
      for (const { status, body } of responses.filter((response) => response.status !== 201)) {
        const why = `${status} ${textAt(body, 'error', 'code')}: ${textAt(body, 'error', 'message')}`;
        refused.set(why, (refused.get(why) ?? 0) + 1);
      }
      const winners = responses.flatMap(({ status, body }, index) =>
        status === 201 ? { token: tokens[index] ?? '', id: textAt(body, 'order', 'id') } : [],
      );
      const used = await readUses();
      if (winners.length !== 1 || used !== '1 counted, 1 stored') {
        wrong.push(`round ${round}: ${winners.length} orders, ${used}`);
      }
      for (const { token, id } of winners) await shop.api('POST', `/orders/${id}/cancel`, { token });
      const left = await readUses();
      if (left !== '0 counted, 0 stored') wrong.push(`round ${round}, cancelled: ${left}`);
    }
  });
  const carts = await Promise.all(tokens.map((token) => shop.api('GET', '/cart', { token })));
  for (const { body } of carts) {
    const isWhole = listAt(body, 'cart_items').length === 1 && valueAt(body, 'promoError') === null;
    if (!isWhole || textAt(body, 'appliedPromoCode', 'code') !== CODE) wrong.push(`a cart: ${JSON.stringify(body)}`);
  }
  return { wrong, refused, milliseconds: Math.round(performance.now() - began) };
}

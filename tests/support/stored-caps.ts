/** The maximum count of stored things, each with rows that fill it up and a call that adds one more. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { ApiResponse } from './api-client.ts';
import { createOrder, findFirstProduct } from './new-order.ts';
import { addPasskey } from './passkey-account.ts';
import { numberAt, textAt } from './read-json.ts';
import type { TestShop } from './shop.ts';
import { createSoftwareAuthenticator } from './software-authenticator.ts';
import { enterPassword } from './totp-app.ts';

interface Account {
  readonly id: string;
  readonly token: string;
}

interface Variant {
  readonly id: string;
  readonly product_id: string;
  readonly property_value_ids: readonly string[];
}

export interface CapContext {
  readonly shop: TestShop;
  readonly db: Db;
  readonly customer: Account;
  readonly manager: Account;
  readonly owner: Account;
  readonly order: string;
  readonly ticket: string;
  readonly product: string;
  /** Variants on sale, more than any cap. */
  readonly variants: readonly Variant[];
}

export interface StoredCap {
  readonly max: number;
  /** Status and code of the refusal. */
  readonly refusal: string;
  /** Stores this many without a call. */
  readonly fill: (context: CapContext, count: number) => Promise<unknown>;
  /** Adds one. @param index 0: the last that is allowed, 1: one more */
  readonly add: (context: CapContext, index: 0 | 1) => Promise<ApiResponse>;
}

export async function createCapContext(shop: TestShop, db: Db): Promise<CapContext> {
  const logIn = async (username: string): Promise<Account> => {
    const { body } = await enterPassword(shop, username);
    return { id: textAt(body, 'user', 'id'), token: textAt(body, 'tokens', 'accessToken') };
  };
  const [customer, manager, owner] = [await logIn('alice'), await logIn('staff'), await logIn('owner')];
  const { id: order, token } = await createOrder(shop, 'capped-buyer');
  const draft = { title: 'Question', theme: 'Delivery', description: 'Where is it?' };
  const ticket = textAt((await shop.api('POST', '/tickets/create', { token, body: draft })).body, 'id');
  const { rows: variants } = await sql<Variant>`select id, product_id, property_value_ids from product_variants
    where id in (select id from variants_on_sale) order by id limit 60`.execute(db);
  return { shop, db, customer, manager, owner, order, ticket, product: await findFirstProduct(shop), variants };
}

/** The variant that the call with this index adds. */
const chosenAt = ({ variants }: CapContext, index: 0 | 1): Variant | undefined => variants.at(-1 - index);
const toLine = (variant: Variant | undefined) => ({
  product_id: variant?.product_id,
  property_value_ids: variant?.property_value_ids,
});
const firstIds = ({ variants }: CapContext, count: number): string[] => variants.slice(0, count).map(({ id }) => id);
const day = (index: number): string => new Date(Date.UTC(2090, 0, 1 + index)).toISOString();

/** By the title of its test. */
export const STORED_CAPS: Readonly<Record<string, StoredCap>> = {
  '[OPS-13] an order has at most 200 notes': {
    max: 200,
    refusal: '409 too-many',
    fill: ({ db, order, manager }, count) =>
      sql`insert into order_notes (id, order_id, text, created_at, created_by)
      select gen_random_uuid(), ${order}, 'Called', now(), ${manager.id} from generate_series(1, ${count}::integer)`.execute(
        db,
      ),
    add: ({ shop, order, manager: { token } }) =>
      shop.api('POST', `/orders/${order}/notes`, { token, body: { text: 'Note' } }),
  },
  '[OPS-04] a ticket has at most 200 notes': {
    max: 200,
    refusal: '409 too-many',
    fill: ({ db, ticket, manager }, count) =>
      sql`insert into ticket_notes (id, ticket_id, author_id, text, created_at)
      select gen_random_uuid(), ${ticket}, ${manager.id}, 'Called', now() from generate_series(1, ${count}::integer)`.execute(
        db,
      ),
    add: ({ shop, ticket, manager: { token } }) =>
      shop.api('POST', `/support/tickets/${ticket}/notes`, { token, body: { text: 'Note' } }),
  },
  '[OPS-13] a member of staff saves at most 20 filters': {
    max: 20,
    refusal: '409 too-many',
    fill: ({ db, manager }, count) =>
      sql`insert into order_filters (id, user_id, slot, name, query)
      select gen_random_uuid(), ${manager.id}, slot, 'Filter ' || slot, '' from generate_series(1, ${count}::integer) slot`.execute(
        db,
      ),
    add: ({ shop, manager: { token } }, index) =>
      shop.api('POST', '/support/order-filters', { token, body: { name: `One more ${index}`, query: '' } }),
  },
  '[OPS-04] the shop has at most 500 canned answers': {
    max: 500,
    refusal: '409 too-many',
    fill: ({ db }, count) =>
      sql`insert into canned_answers (id, title, text, updated_at)
      select gen_random_uuid(), 'Title ' || number, 'Text', now() from generate_series(1, ${count}::integer) number`.execute(
        db,
      ),
    add: ({ shop, manager: { token } }, index) =>
      shop.api('POST', '/support/canned-answers', { token, body: { title: `One more ${index}`, text: 'Text' } }),
  },
  '[OPS-19] the shop has at most 10 webhook endpoints': {
    max: 10,
    refusal: '409 too-many',
    fill: ({ db }, count) =>
      sql`insert into webhook_endpoints (id, slot, url, event_types, secret, created_at)
      select gen_random_uuid(), slot, 'https://receiver.example', array['order.paid'], '\\x00', now()
      from generate_series(1, ${count}::integer) slot`.execute(db),
    add: ({ shop, owner: { token } }) => {
      const body = { url: 'https://receiver.example/', description: '', event_types: ['order.paid'] };
      return shop.api('POST', '/webhooks', { token, body });
    },
  },
  '[OPS-19] the shop has at most 50 API keys': {
    max: 50,
    refusal: '409 too-many',
    fill: ({ db, owner }, count) =>
      sql`insert into api_keys (id, name, key_hash, hint, scopes, created_by, created_at)
      select gen_random_uuid(), 'Key ' || number, sha256(number::text::bytea), 'cmk', array['webhooks:read'], ${owner.id}, now()
      from generate_series(1, ${count}::integer) number`.execute(db),
    add: ({ shop, owner: { token } }) => {
      const body = { name: 'One more', scopes: ['webhooks:read'], expires_in_days: null };
      return shop.api('POST', '/api-keys', { token, body });
    },
  },
  '[OPS-07] the shop has at most 100 questions': {
    max: 100,
    refusal: '409 too-many',
    fill: async ({ db }, count) => {
      await sql`delete from faq_items`.execute(db);
      await sql`insert into faq_items (id, question, answer, position)
        select gen_random_uuid(), 'Why?', 'Because', number from generate_series(1, ${count}::integer) number`.execute(
        db,
      );
    },
    add: ({ shop, manager: { token } }) =>
      shop.api('POST', '/content/faq', { token, body: { question: 'Why?', answer: 'Because' } }),
  },
  '[OPS-09] a product has at most 20 present sale prices': {
    max: 20,
    refusal: '409 too-many',
    fill: ({ db, product }, count) =>
      sql`insert into sale_prices
      (id, product_id, starts_at, ends_at, discount_basis_points, edited_at)
      select gen_random_uuid(), ${product}, ${day(0)}::timestamptz + number * interval '1 day',
        ${day(1)}::timestamptz + number * interval '1 day', 1000, now()
      from generate_series(0, ${count}::integer - 1) number`.execute(db),
    add: ({ shop, product, manager: { token } }, index) => {
      const [starts_at, ends_at] = [day(100 + 2 * index), day(101 + 2 * index)];
      const body = { reduction: { kind: 'percent', percent: 10 }, starts_at, ends_at };
      return shop.api('POST', `/catalogue/products/${product}/sale-prices`, { token, body });
    },
  },
  '[OPS-17] an account has at most 20 passkeys': {
    max: 20,
    refusal: '409 too-many',
    fill: async ({ db, manager }, count) => {
      await sql`insert into passkeys
      (id, user_id, credential_id, public_key, counter, transports, name, created_at)
      select gen_random_uuid(), ${manager.id}, sha256(number::text::bytea), '\\x00', 0, '{}', 'Key', now()
      from generate_series(1, ${count}::integer) number`.execute(db);
      // As if one of them had just been used.
      await sql`update sessions set factor_confirmed_at = now() where user_id = ${manager.id}`.execute(db);
    },
    add: ({ shop, manager: { token } }) => addPasskey(shop, { token, authenticator: createSoftwareAuthenticator() }),
  },
  '[OPS-10] an account has at most 50 stock alerts': {
    max: 50,
    refusal: '409 too-many',
    fill: async (context, count) => {
      const { db, customer } = context;
      await sql`insert into variant_stock (variant_id, available) select id, 0 from variants_on_sale
        on conflict (variant_id) do update set available = 0`.execute(db);
      await sql`insert into stock_alerts (id, user_id, variant_id, slot, created_at)
        select gen_random_uuid(), ${customer.id}, id, row_number() over (), now()
        from unnest(${firstIds(context, count)}::uuid[]) id`.execute(db);
    },
    add: (context, index) =>
      context.shop.api('POST', '/stock-alerts', {
        token: context.customer.token,
        body: toLine(chosenAt(context, index)),
      }),
  },
  '[API-04] a cart has at most 50 lines': {
    max: 50,
    refusal: '400 lines-limit',
    fill: async (context, count) => {
      const { db, customer } = context;
      await sql`delete from variant_stock`.execute(db);
      await sql`delete from carts where user_id = ${customer.id}`.execute(db);
      await sql`with cart as (insert into carts (id, user_id, created_at, updated_at)
          values (gen_random_uuid(), ${customer.id}, now(), now()) returning id)
        insert into cart_lines (cart_id, product_id, property_value_ids, quantity)
        select cart.id, variant.product_id, variant.property_value_ids, 1 from cart, product_variants variant
        where variant.id = any(${firstIds(context, count)}::uuid[])`.execute(db);
    },
    add: (context, index) => {
      const body = { ...toLine(chosenAt(context, index)), quantity: 1 };
      return context.shop.api('POST', '/cart/add', { token: context.customer.token, body });
    },
  },
  '[API-04] a cart line has at most 99 units': {
    max: 99,
    refusal: '400 quantity-limit',
    fill: async ({ db, customer, variants: [variant] }, count) => {
      await sql`delete from variant_stock`.execute(db);
      await sql`delete from carts where user_id = ${customer.id}`.execute(db);
      await sql`with cart as (insert into carts (id, user_id, created_at, updated_at)
          values (gen_random_uuid(), ${customer.id}, now(), now()) returning id)
        insert into cart_lines (cart_id, product_id, property_value_ids, quantity)
        select id, ${variant?.product_id}, ${variant?.property_value_ids}::uuid[], ${count} from cart`.execute(db);
    },
    add: ({ shop, customer: { token }, variants: [variant] }) =>
      shop.api('POST', '/cart/add', { token, body: { ...toLine(variant), quantity: 1 } }),
  },
  '[TKT-01] an account has at most two open tickets': {
    max: 2,
    refusal: '409 too-many-open',
    fill: ({ db, customer }, count) =>
      sql`insert into tickets
      (id, user_id, slot, title, theme, description, created_at, last_message_at)
      select gen_random_uuid(), ${customer.id}, slot, 'Question', 'Delivery', 'Where is it?', now(), now()
      from generate_series(1, ${count}::integer) slot`.execute(db),
    add: ({ shop, customer: { token } }, index) => {
      const body = { title: `One more ${index}`, theme: 'Delivery', description: 'Where is it?' };
      return shop.api('POST', '/tickets/create', { token, body });
    },
  },
  '[OPS-07] the shop has at most 50 prefixes of order numbers': {
    max: 50,
    refusal: '409 too-many-prefixes',
    fill: ({ db }, count) =>
      sql`update shop_settings set order_prefix = 'P1-', former_order_prefixes =
      (select array_agg('P' || number || '-') from generate_series(2, ${count}::integer) number)`.execute(db),
    add: async ({ shop, owner: { token } }, index) => {
      const { body } = await shop.api('GET', '/shop/settings', { token });
      const change = { version: numberAt(body, 'orders', 'version'), order_prefix: `NEW${index}-` };
      return shop.api('PUT', '/shop/settings/orders', { token, body: change });
    },
  },
};

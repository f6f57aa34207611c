/** Orders that staff create for customers, and the variants that they choose from. */
import type { z } from 'zod';
import type { Db } from '#src/platform/database/database.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import type { StaffCart, StaffCartResult } from '#src/shop/cart/cart-calls.service.ts';
import type { Customers } from '#src/shop/accounts/customers/service.ts';
import type { Carts } from '#src/shop/cart/service.ts';
import { computeVariantPriceCents } from '#src/shop/catalogue/products/unit-price.ts';
import { chooseVariant } from '#src/shop/catalogue/products/variants.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';
import type { Taxes } from '#src/shop/tax/service.ts';
import type { ManualOrder, ManualOrderResult } from '../checkout/order-placement.service.ts';
import type { Orders } from '../service.ts';
import type { manualOrdersApi } from './contract.ts';
import { hasAllWords, splitWords } from './match-words.ts';
import { findVariantsBySku, listVariantsOf } from './store.ts';
import type { VariantRow } from './store.ts';

type VariantList = z.output<(typeof manualOrdersApi)['GET /support/order-variants']['response']>;

export interface ManualOrdersOptions {
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'findContact' | 'findOrCreate' | 'hashUnknownPassword'>;
  readonly carts: Pick<Carts, 'ofStaff'>;
  readonly catalogue: Pick<Catalogue, 'snapshot' | 'findByIds'>;
  readonly customers: Pick<Customers, 'find'>;
  readonly orders: Pick<Orders, 'createManual' | 'findLastBilling'>;
  readonly taxes: Pick<Taxes, 'current'>;
}

/** An account, or the address and name of a new customer. */
export type CustomerChoice = { readonly id: string } | { readonly email: string; readonly name: string };

const MAX_PRODUCTS = 20;
const MAX_VARIANTS = 30;

export class ManualOrders {
  readonly #options: ManualOrdersOptions;

  constructor(options: ManualOrdersOptions) {
    this.#options = options;
  }

  /** Code of the country of the shop; empty if not set. */
  get homeCountry(): string {
    return this.#options.taxes.current.homeCountry;
  }

  /** Null for an unknown or deleted account, and for one of the team. */
  async findLastBilling(customerId: string) {
    const { customers, orders } = this.#options;
    if ((await customers.find(customerId)) === null) return null;
    return { billing: await orders.findLastBilling(customerId) };
  }

  async searchVariants(q: string): Promise<VariantList> {
    const { catalogue, db } = this.#options;
    const words = splitWords(q);
    const products: string[] = [];
    for (const { id, name, offered } of catalogue.snapshot.products) {
      if (products.length === MAX_PRODUCTS) break;
      if (hasAllWords(words, [name, ...offered.flatMap(({ values }) => values.map(({ value }) => value))]))
        products.push(id);
    }
    const [bySku, byName] = await Promise.all([
      findVariantsBySku(db, q.trim(), MAX_VARIANTS + 1),
      listVariantsOf(db, products),
    ]);
    const skus = new Set(bySku.map(({ sku }) => sku));
    const found = [
      ...bySku.flatMap((row) => this.#show(row) ?? []),
      ...byName
        .filter(({ sku }) => !skus.has(sku))
        .flatMap((row) => this.#show(row) ?? [])
        .filter(({ name, values }) => hasAllWords(words, [name, ...values.map(({ value }) => value)])),
    ];
    return { variants: found.slice(0, MAX_VARIANTS), has_more: found.length > MAX_VARIANTS };
  }

  /** Variants on sale of these products, with their ids. */
  async listVariantsOf(
    db: Db,
    productIds: readonly string[],
  ): Promise<readonly (VariantList['variants'][number] & { readonly id: string })[]> {
    const rows = await listVariantsOf(db, productIds);
    return rows.flatMap((row) => {
      const shown = this.#show(row);
      return shown === null ? [] : { ...shown, id: row.id };
    });
  }

  /** Null if it is not on sale. */
  #show({ productId, valueIds, sku, available }: VariantRow): VariantList['variants'][number] | null {
    const [product] = this.#options.catalogue.findByIds([productId]);
    const choice = product && chooseVariant(product, valueIds);
    if (product === undefined || choice?.ok !== true || choice.valueIds.join() !== valueIds.join()) return null;
    const findProperty = (id: string): string =>
      product.offered.find(({ values }) => values.some((value) => value.id === id))?.name ?? '';
    return {
      product_id: productId,
      property_value_ids: [...valueIds],
      name: product.name,
      values: choice.values.map(({ id, value }) => ({ property: findProperty(id), value })),
      sku,
      main_image: product.mainImage,
      price_usd: computeVariantPriceCents(product, choice),
      available,
    };
  }

  preview(cart: StaffCart, customerId: string | null): Promise<StaffCartResult> {
    return this.#options.carts.ofStaff.preview(cart, customerId);
  }

  /** The first line with which a variant has too many units; null if there is none. */
  findExcess(lines: StaffCart['lines']): number | null {
    return this.#options.carts.ofStaff.findExcess(lines);
  }

  /** Creates an order. `busy` if no account could be created now. */
  async create(
    customer: CustomerChoice,
    order: Omit<ManualOrder, 'findBuyer'> & { readonly by: StaffActor },
  ): Promise<ManualOrderResult | { readonly ok: false; readonly reason: 'busy' }> {
    const { accounts, orders } = this.#options;
    if ('id' in customer) {
      const isKnown = (await accounts.findContact(customer.id)) !== null;
      return orders.createManual({ ...order, findBuyer: async () => (isKnown ? customer.id : null) });
    }
    const passwordHash = await accounts.hashUnknownPassword();
    if (passwordHash === null) return { ok: false, reason: 'busy' };
    return orders.createManual({
      ...order,
      findBuyer: (tx) => accounts.findOrCreate(tx, { ...customer, passwordHash }),
    });
  }
}

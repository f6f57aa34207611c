/** Edits the catalogue over HTTP, as staff. */
import assert from 'node:assert/strict';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';

export interface EditorContent {
  readonly name: string;
  readonly slug: string;
  readonly article: string;
  readonly category_id: string;
  readonly brand_id: string;
  readonly base_price_usd: number;
  readonly description: string;
  readonly description_markdown?: string | null;
  readonly sub_description: string;
  readonly tax_class?: string;
  readonly weight_grams?: number | null;
  readonly in_the_box?: string;
  readonly chapters?: readonly object[];
  readonly safety?: object | null;
  readonly energy_label?: object | null;
  readonly specifications: readonly { readonly name: string; readonly value: string }[];
  readonly pictures: readonly { readonly path: string; readonly alt: string }[];
  readonly values: readonly {
    readonly id: string;
    readonly increase_usd: number;
    readonly pictures: readonly object[];
  }[];
  readonly variants: readonly {
    readonly value_ids: readonly string[];
    readonly own_price_usd: number | null;
    readonly sku: string;
    readonly gtin: string;
    readonly weight_grams?: number | null;
    readonly pictures: readonly object[];
    readonly is_published: boolean;
  }[];
}

export const logInAs = async (shop: Pick<TestShop, 'api'>, username: string): Promise<string> =>
  textAt(
    (await shop.api('POST', '/users/login', { body: { username, password: 'crypto-market' } })).body,
    'tokens',
    'accessToken',
  );

interface Named {
  readonly id: string;
  readonly slug: string;
}

let products = 0;

/** Calls of one staff member. */
export class CatalogueEditor {
  readonly #shop: Pick<TestShop, 'api'>;
  readonly token: string;

  private constructor(shop: Pick<TestShop, 'api'>, token: string) {
    this.#shop = shop;
    this.token = token;
  }

  static async open(shop: Pick<TestShop, 'api'>, username = 'staff'): Promise<CatalogueEditor> {
    return new CatalogueEditor(shop, await logInAs(shop, username));
  }

  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<ApiResponse> {
    return this.#shop.api(method, `/catalogue${path}`, { token: this.token, ...(body === undefined ? {} : { body }) });
  }

  async readStructure(): Promise<unknown> {
    return (await this.call('GET', '/structure')).body;
  }

  async findCategory(slug: string): Promise<Named & { readonly value: unknown }> {
    const value = listAt(await this.readStructure(), 'categories').find((one) => textAt(one, 'slug') === slug);
    return { id: textAt(value, 'id'), slug, value };
  }

  /** Content of a product without properties that can be published. Every call returns another slug. */
  async createContent(changes: Partial<EditorContent> = {}): Promise<EditorContent> {
    const structure = await this.readStructure();
    products += 1;
    return {
      name: `Cable ${products}`,
      slug: `cable-${products}`,
      article: `CABLE-${products}`,
      category_id: (await this.createCategory()).id,
      brand_id: textAt(structure, 'brands', 0, 'id'),
      base_price_usd: 19.99,
      description: 'A cable.',
      sub_description: 'One metre',
      specifications: [{ name: 'Length', value: '1 m' }],
      pictures: [{ path: '/images/products/iphone-air/back.avif', alt: 'A cable' }],
      values: [],
      variants: [],
      ...changes,
    };
  }

  async createCategory(): Promise<Named> {
    products += 1;
    const slug = `cables-${products}`;
    const { body, status } = await this.call('POST', '/categories', { name: `Cables ${products}`, slug });
    assert.equal(status, 201, JSON.stringify(body));
    return { id: textAt(body, 'id'), slug };
  }

  /** Gives a category properties, named A, B, … with values such as A1, and returns the value ids. */
  async addProperties(categoryId: string, counts: readonly number[]): Promise<readonly (readonly string[])[]> {
    const find = async () =>
      listAt(await this.readStructure(), 'categories').find((one) => textAt(one, 'id') === categoryId);
    const category = await find();
    const properties = counts.map((count, index) => {
      const name = String.fromCharCode(65 + index);
      return {
        name,
        values: Array.from({ length: count }, (_, at) => ({ value: `${name}${at + 1}`, increase_usd: at * 10 })),
      };
    });
    const { status, body } = await this.call('PUT', `/categories/${categoryId}`, {
      version: numberAt(category, 'version'),
      name: textAt(category, 'name'),
      slug: textAt(category, 'slug'),
      properties,
    });
    assert.equal(status, 200, JSON.stringify(body));
    return listAt(await find(), 'properties').map((property) =>
      listAt(property, 'values').map((value) => textAt(value, 'id')),
    );
  }

  async create(
    content: EditorContent,
  ): Promise<{ readonly id: string; readonly version: number; readonly product: unknown }> {
    const { status, body } = await this.call('POST', '/products', content);
    assert.equal(status, 201, JSON.stringify(body));
    return this.#toCreated(body);
  }

  async publish(
    content: EditorContent,
  ): Promise<{ readonly id: string; readonly version: number; readonly product: unknown }> {
    const { id, version } = await this.create(content);
    const { status, body } = await this.save(id, { version, publish: true, content });
    assert.equal(status, 200, JSON.stringify(body));
    return this.#toCreated(body);
  }

  save(
    id: string,
    body: { readonly version: number; readonly publish: boolean; readonly content: unknown },
  ): Promise<ApiResponse> {
    return this.call('PUT', `/products/${id}`, body);
  }

  #toCreated(body: unknown) {
    const product = valueAt(body, 'product');
    return { id: textAt(product, 'id'), version: numberAt(product, 'version'), product };
  }
}

export const readErrorCode = ({ status, body }: ApiResponse): string =>
  status < 400 ? String(status) : `${status} ${textAt(body, 'error', 'code')}`;

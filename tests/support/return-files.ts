/** Pictures and labels of returns in a test shop, and their files. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { textAt } from './read-json.ts';
import type { Buyer, RefundShop } from './refund-shop.ts';
import { openReturns } from './returns.ts';
import { uploadBytes } from './upload-picture.ts';
import type { Uploaded } from './upload-picture.ts';

export interface OpenReturn {
  readonly buyer: Buyer;
  readonly orderId: string;
  readonly id: string;
}

export class ReturnFileCalls {
  readonly #shop: RefundShop;
  constructor(shop: RefundShop) {
    this.#shop = shop;
  }

  /** A requested return of a shipped order of a new buyer. */
  async open(cause = 'defect'): Promise<OpenReturn> {
    const calls = openReturns(this.#shop);
    const { buyer, id: orderId } = await calls.createShippedOrder(1);
    const requested = await calls.request(buyer, orderId, 1, cause);
    return { buyer, orderId, id: textAt(requested.body, 'return', 'id') };
  }

  add({ id }: Pick<OpenReturn, 'id'>, { token }: Pick<Buyer, 'token'>, bytes: Buffer): Promise<Uploaded> {
    return uploadBytes(this.#shop.shop, `/returns/${id}/pictures`, token, bytes);
  }

  async addLabel(id: string, bytes: Buffer, version: number): Promise<Uploaded> {
    return uploadBytes(
      this.#shop.shop,
      `/support/returns/${id}/label-file?version=${version}`,
      this.#shop.staff,
      bytes,
    );
  }

  /** @param path below `/api` */
  download(path: string, token?: string): Promise<Response> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return fetch(`${this.#shop.shop.url}/api${path}`, { headers });
  }

  /** Names of private files, of all returns or of one file. */
  listFiles(id = ''): string[] {
    const directory = join(this.#shop.shop.dataDir, 'uploads');
    return readdirSync(directory).filter((name) => name.startsWith(`private-${id}`));
  }
}

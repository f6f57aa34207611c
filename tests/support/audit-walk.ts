/** Makes calls of staff over HTTP and checks that each one leaves an audit entry. */
import assert from 'node:assert/strict';
import { logInAs } from './catalogue-editor.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import type { ApiResponse } from './api-client.ts';
import type { TestShop } from './shop.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface WalkRequest {
  readonly body?: unknown;
  /** Of the path in the contract, by name. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly asOwner?: boolean;
}

export class AuditWalk {
  readonly shop: TestShop;
  readonly staff: string;
  readonly owner: string;
  /** Keys of the calls that left an entry. */
  readonly proven: Set<string>;
  #total = 0;

  private constructor(shop: TestShop, staff: string, owner: string, proven: Set<string>) {
    this.shop = shop;
    this.staff = staff;
    this.owner = owner;
    this.proven = proven;
  }

  static async open(shop: TestShop, proven = new Set<string>()): Promise<AuditWalk> {
    const walk = new AuditWalk(shop, await logInAs(shop, 'staff'), await logInAs(shop, 'owner'), proven);
    await walk.skipToNewest();
    return walk;
  }

  /** For the same calls with new sessions. */
  reopen(): Promise<AuditWalk> {
    return AuditWalk.open(this.shop, this.proven);
  }

  async #readNewest(): Promise<unknown> {
    const { body, status } = await this.shop.api('GET', '/support/audit', { token: this.owner });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** Ignores the entries up to now. */
  async skipToNewest(): Promise<void> {
    this.#total = numberAt(await this.#readNewest(), 'total');
  }

  async read(path: string): Promise<unknown> {
    const { body, status } = await this.shop.api('GET', path, { token: this.owner });
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Makes a call, which must succeed and leave an entry of its caller. Returns the response. */
  async prove(key: string, { body, params = {}, query = '', asOwner = false }: WalkRequest = {}): Promise<unknown> {
    const [method = 'GET', template = ''] = key.split(' ');
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? assert.fail(`${key}: ${name}`));
    const token = asOwner ? this.owner : this.staff;
    return this.check(key, asOwner, () =>
      this.shop.api(toMethod(method), `${path}${query}`, { token, ...(body === undefined ? {} : { body }) }),
    );
  }

  /** As `prove`, for a call that the caller makes. */
  async check(
    key: string,
    asOwner: boolean,
    makeCall: () => Promise<Pick<ApiResponse, 'status' | 'body'>>,
  ): Promise<unknown> {
    const { status, body } = await makeCall();
    assert.ok(status >= 200 && status < 300, `${key}: ${String(status)} ${JSON.stringify(body)}`);
    const newest = await this.#readNewest();
    const [entry] = listAt(newest, 'entries');
    assert.ok(numberAt(newest, 'total') > this.#total, `${key} left no audit entry`);
    assert.equal(valueAt(entry, 'actor'), asOwner ? 'owner' : 'staff', key);
    assert.ok(listAt(entry, 'changes').length > 0, `${key}: ${textAt(entry, 'action')} has no values`);
    this.#total = numberAt(newest, 'total');
    this.proven.add(key);
    return body;
  }
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];
export const toMethod = (text: string): Method => METHODS.find((one) => one === text) ?? assert.fail(text);

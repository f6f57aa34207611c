/** Tickets of a customer in a browser, and what support does to them over the API. */
import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { callAs, createBuyer, signIn, visit } from './buyer.ts';
import { textAt } from './read-json.ts';
import type { TestShop } from './shop.ts';

export const TICKET = { title: 'Where is my parcel?', theme: 'Delivery', description: 'It was due yesterday.' };

export class TicketCalls {
  readonly #shop: TestShop;
  readonly #staff: string;

  /** @param staff token of a member of support */
  constructor(shop: TestShop, staff: string) {
    this.#shop = shop;
    this.#staff = staff;
  }

  static async open(shop: TestShop): Promise<TicketCalls> {
    const account = { username: 'staff', password: 'crypto-market' };
    const { body } = await shop.api('POST', '/users/login', { body: account });
    return new TicketCalls(shop, textAt(body, 'tokens', 'accessToken'));
  }

  /** @param username a new customer if absent @returns the name */
  async signInAt(page: Page, username?: string): Promise<string> {
    const name = username ?? (await createBuyer(this.#shop));
    await signIn(this.#shop, page, name);
    await visit(page, '/dashboard');
    return name;
  }

  /** @returns the id */
  async create(page: Page, words: object = TICKET): Promise<string> {
    return textAt(await callAs(this.#shop, page, 'POST', '/tickets/create', words), 'id');
  }

  async reply(ticketId: string, message: string): Promise<void> {
    const body = { ticket_id: ticketId, message };
    const { status } = await this.#shop.api('POST', '/tickets/messages', { token: this.#staff, body });
    assert.equal(status, 201);
  }

  async work(ticketId: string, step: 'in-progress' | 'close' | 'reopen'): Promise<void> {
    const path = `/support/tickets/${ticketId}/${step}`;
    const { status, body } = await this.#shop.api('POST', path, { token: this.#staff });
    assert.equal(status, 200, JSON.stringify(body));
  }
}

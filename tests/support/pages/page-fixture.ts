/** A page in a state that the layout, accessibility and keyboard tests open. */
import type { Page } from '@playwright/test';
import { textAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';

export interface PageFixture {
  readonly name: string;
  /** Route pattern of src/routes.ts with a leading slash. */
  readonly route: string;
  readonly path: string;
  /**
   * Prepares the state; the page may be anywhere afterwards. Returns the path if it
   * depends on that state.
   */
  readonly prepare?: (shop: TestShop, page: Page) => Promise<string | void>;
  /** 200 by default. */
  readonly status?: number;
  /** Text of the h1. */
  readonly heading: string | RegExp;
}

const LONGEST_NAME = 60;

export const createLongUsername = (): string =>
  'a-name-that-goes-on-and-on-'.repeat(3).slice(0, LONGEST_NAME - 13) + Date.now();

/** Invites somebody with a long address to the team, by the owner of the demo shop. @returns the address */
export async function inviteToTeam(shop: TestShop): Promise<string> {
  const email = `${'invited'.repeat(7)}${Date.now()}@${'team'.repeat(12)}.example`;
  const body = { username: 'owner', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
  const invited = await shop.api('POST', '/staff/invitations', { token, body: { email, role: 'support' } });
  if (invited.status !== 201) throw new Error(`inviting returned ${invited.status}: ${JSON.stringify(invited.body)}`);
  return email;
}

/** The pages of the second factor, as a member of the team uses them. */
import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { showCode } from './totp-app.ts';

export interface TurnedOn {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets an authenticator app up on the security page. */
export async function turnOnApp(page: Page): Promise<TurnedOn> {
  const main = page.getByRole('main');
  await page.getByRole('heading', { level: 1, name: 'Security' }).waitFor();
  await main.getByRole('button', { name: 'Set up authenticator app' }).click();
  await main.getByRole('button', { name: 'Copy the secret' }).waitFor();
  const secret = ((await main.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
  assert.match(secret, /^[A-Z2-7]{32}$/);
  await main.getByLabel('Code of the app').fill(showCode(secret));
  await main.getByRole('button', { name: 'Turn on' }).click();
  const codes = main.getByRole('region', { name: 'Your recovery codes' }).locator('code');
  await codes.first().waitFor();
  return { secret, recoveryCodes: await codes.allInnerTexts() };
}

/** Fills the demo shop. Imported dynamically, so that a live shop does not load the seed. */
import { seedCatalogue } from '../../db/seed/catalogue.ts';
import { DEMO_PASSWORD, demoUsers } from '../../db/seed/demo-users.ts';
import { seedFaq } from '../../db/seed/faq.ts';
import { seedPromotions } from '../../db/seed/promotions.ts';
import { seedReviews } from '../../db/seed/reviews.ts';
import { seedShopSettings } from '../../db/seed/shop-settings.ts';
import { seedTexts } from '../../db/seed/texts.ts';
import { seedDemoUsers } from '#src/shop/accounts/demo-users.service.ts';
import type { ShopResources } from './open-foundation.ts';

export async function seedDemo({ database: { db }, clock, passwords }: ShopResources): Promise<void> {
  const now = clock.now();
  await seedCatalogue(db, now);
  await seedShopSettings(db);
  await seedFaq(db);
  await seedTexts(db, now);
  await seedReviews(db, now);
  await seedPromotions(db, now);
  const users = demoUsers.map((user) => ({ ...user, password: DEMO_PASSWORD }));
  await seedDemoUsers({ db, passwords }, users, now);
}

/** For the summary of the start. */
export const describeLogins = (): string =>
  `Log in as ${demoUsers.map(({ username }) => username).join(', ')} with the password ${DEMO_PASSWORD}`;

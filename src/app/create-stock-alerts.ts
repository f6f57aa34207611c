/** Mails to customers who wait for sold-out variants. */
import { StockAlerts } from '#src/shop/inventory/alerts/service.ts';
import type { StockAlertsOptions } from '#src/shop/inventory/alerts/service.ts';
import type { Accounts } from '#src/shop/accounts/service.ts';
import type { Catalogue } from '#src/shop/catalogue/service.ts';

type Foundation = Pick<StockAlertsOptions, 'db' | 'clock' | 'mails'>;

export function createStockAlerts(
  { db, clock, mails }: Foundation,
  catalogue: Catalogue,
  accounts: Accounts,
): StockAlerts {
  return new StockAlerts({
    db,
    clock,
    mails,
    findVariantId: async (productId, valueIds) => {
      const [variant] = await catalogue.findVariants(db, [{ productId, valueIds }]);
      return variant?.id ?? null;
    },
    describeVariants: (ids) => catalogue.describeVariants(db, ids),
    hasConfirmedAddress: async (userId) => (await accounts.findContact(userId))?.isConfirmed ?? false,
  });
}

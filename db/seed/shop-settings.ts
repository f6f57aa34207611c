/** Identity and settings of the demo shop. */
import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { incrementRevision } from '#src/platform/database/revisions.ts';

export const demoSettings = {
  identity: {
    name: 'Crypto Market',
    address: '45 Elm Street, Kensington, London, UK',
    delivery_line: 'Delivery today in 24 hours',
  },
  legal: { footer_note: 'Crypto Market is not affiliated with Apple Inc.' },
  orders: { order_prefix: 'CM-' },
  // As the text about returns says.
  returns: { pays_return: true },
  // As the privacy text says.
  retention: { erases_orders: true, order_years: 6, invoice_years: 6 },
  mail: { support_email: 'support@shop.example' },
} as const;

/** Fills each section that nobody has edited. */
export async function seedShopSettings(db: Db): Promise<void> {
  await transact(db, async (tx) => {
    let isChanged = false;
    for (const [section, values] of Object.entries(demoSettings)) {
      const version = sql.ref(`${section}_version`);
      const columns = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
      const { numAffectedRows = 0n } = await sql`
        update shop_settings set ${sql.join(columns)}, ${version} = 1 where ${version} = 0
      `.execute(tx);
      isChanged ||= numAffectedRows > 0n;
    }
    // Nobody reads the mails to the demo's staff.
    await sql`update paid_order_mail_settings set mode = 'never', version = 1 where version = 0`.execute(tx);
    if (isChanged) await incrementRevision(tx, 'shop-settings');
  });
}

/** The settings of the shop: one row with a version for each section. */
import type { Db } from '#src/platform/database/database.ts';
import type { SettingsOfSections, SettingsSection, ShopSettingsData } from './shop-settings.ts';

type Row = { [Section in SettingsSection as `${Section}_version`]: number } & {
  former_order_prefixes: string[];
} & SettingsOfSections['identity'] &
  SettingsOfSections['legal'] &
  SettingsOfSections['orders'] &
  SettingsOfSections['refunds'] &
  SettingsOfSections['time'] &
  SettingsOfSections['late_payments'] &
  SettingsOfSections['returns'] &
  SettingsOfSections['mail'] &
  SettingsOfSections['announcement'] &
  SettingsOfSections['prices'] &
  SettingsOfSections['consumers'] &
  SettingsOfSections['retention'];

type Tables = Record<'shop_settings', Row>;

const select = (db: Db) => db.$extendTables<Tables>().selectFrom('shop_settings').selectAll();

export const loadShopSettings = async (db: Db): Promise<ShopSettingsData> =>
  createData(await select(db).executeTakeFirstOrThrow());

/** Serializes changes until the transaction ends. */
export const lockShopSettings = async (tx: Db): Promise<ShopSettingsData> =>
  createData(await select(tx).forUpdate().executeTakeFirstOrThrow());

function createData(row: Row): ShopSettingsData {
  return {
    identity: {
      version: row.identity_version,
      name: row.name,
      address: row.address,
      delivery_line: row.delivery_line,
      logo_path: row.logo_path,
      favicon_path: row.favicon_path,
    },
    legal: {
      version: row.legal_version,
      company: row.company,
      registration_number: row.registration_number,
      tax_number: row.tax_number,
      contact_email: row.contact_email,
      contact_phone: row.contact_phone,
      footer_note: row.footer_note,
    },
    orders: { version: row.orders_version, order_prefix: row.order_prefix },
    refunds: { version: row.refunds_version, refund_method: row.refund_method },
    time: { version: row.time_version, time_zone: row.time_zone },
    late_payments: { version: row.late_payments_version, late_acceptance_days: row.late_acceptance_days },
    returns: {
      version: row.returns_version,
      return_address: row.return_address,
      courtesy_days: row.courtesy_days,
      pays_return: row.pays_return,
    },
    mail: {
      version: row.mail_version,
      sender_name: row.sender_name,
      mail_footer: row.mail_footer,
      support_email: row.support_email,
    },
    announcement: {
      version: row.announcement_version,
      announcement_text: row.announcement_text,
      announcement_link: row.announcement_link,
      announcement_is_on: row.announcement_is_on,
    },
    prices: { version: row.prices_version, large_reduction_percent: row.large_reduction_percent },
    consumers: {
      version: row.consumers_version,
      sells_to_eu_consumers: row.sells_to_eu_consumers,
      guarantee_notice_path: row.guarantee_notice_path,
    },
    retention: {
      version: row.retention_version,
      erases_orders: row.erases_orders,
      order_years: row.order_years,
      invoice_years: row.invoice_years,
      message_years: row.message_years,
      staff_record_years: row.staff_record_years,
    },
    formerOrderPrefixes: row.former_order_prefixes,
  };
}

/** Stores a section and increments its version. The row must be locked. */
export async function updateSection(
  tx: Db,
  section: SettingsSection,
  version: number,
  values: SettingsOfSections[SettingsSection],
  formerOrderPrefixes: readonly string[],
): Promise<void> {
  await tx
    .$extendTables<Tables>()
    .updateTable('shop_settings')
    .set({ ...values, [`${section}_version`]: version, former_order_prefixes: [...formerOrderPrefixes] })
    .execute();
}

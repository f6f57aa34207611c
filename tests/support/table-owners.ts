/** Which folder or store may write each table, and which statements of a file write a table. */
import { removeComments } from './architecture.ts';
import type { SourceFile } from './architecture.ts';

/** Placeholder for a table name known only at run time. */
const COMPUTED = 'a table with a computed name';

const AUDIT_LOG = 'src/shop/audit-log/store.ts';
const ACCOUNTS = 'src/shop/accounts';
const PASSWORD_RESET = `${ACCOUNTS}/password-reset/store.ts`;
const PROFILE = `${ACCOUNTS}/profile/store.ts`;
const SECOND_FACTOR = `${ACCOUNTS}/second-factor/store.ts`;
const CATALOGUE = 'src/shop/catalogue';
const IMPORTS = `${CATALOGUE}/imports`;
const CART = 'src/shop/cart/store.ts';
const CONTENT = 'src/shop/content';
const DEVCHAIN = 'src/shop/demo/devchain/store.ts';
const INVENTORY = 'src/shop/inventory';
const INVOICES = 'src/shop/invoices';
const ORDERS = 'src/shop/orders';
const PAYMENTS = 'src/shop/payments';
const PROMOTIONS = 'src/shop/promotions';
const REFUNDS = 'src/shop/refunds';
const RETURNS = 'src/shop/returns';
const CONTACT = 'src/shop/support/contact';
const WEBHOOKS = 'src/shop/webhooks';
const TICKETS = 'src/shop/support/tickets';

/** The owner of a table is one store file, or a folder whose stores share the table. Only the owner writes it. */
export const TABLE_OWNERS: Readonly<Record<string, string>> = {
  account_notices: PROFILE,
  second_factor_changes: `${ACCOUNTS}/second-factor/changes.store.ts`,
  pending_logins: `${ACCOUNTS}/pending-logins.store.ts`,
  recovery_codes: SECOND_FACTOR,
  second_factors: SECOND_FACTOR,
  api_keys: 'src/shop/api-keys/store.ts',
  first_owner_link: `${ACCOUNTS}/team/first-owner-link.store.ts`,
  invitations: `${ACCOUNTS}/invitations/store.ts`,
  passkeys: `${ACCOUNTS}/second-factor/passkeys.store.ts`,
  passkey_challenges: `${ACCOUNTS}/second-factor/passkeys.store.ts`,
  audit_customer_details: AUDIT_LOG,
  audit_details: AUDIT_LOG,
  audit_entries: AUDIT_LOG,
  audit_head: AUDIT_LOG,
  brands: CATALOGUE,
  canned_answers: 'src/shop/support/canned-answers/store.ts',
  cart_lines: CART,
  carriers: `${ORDERS}/fulfilment/carriers.store.ts`,
  carts: CART,
  catalogue_import_problems: IMPORTS,
  catalogue_import_products: IMPORTS,
  catalogue_import_pictures: IMPORTS,
  catalogue_imports: IMPORTS,
  imported_handles: IMPORTS,
  imported_pictures: IMPORTS,
  categories: CATALOGUE,
  chain_blocks: `${PAYMENTS}/store.ts`,
  chain_cursor: PAYMENTS,
  chain_rescans: `${PAYMENTS}/chain-sync/rescans.store.ts`,
  contact_answers: CONTACT,
  contact_messages: CONTACT,
  content_sections: CONTENT,
  devchain_blocks: DEVCHAIN,
  devchain_mempool: DEVCHAIN,
  devchain_wallet: DEVCHAIN,
  email_confirmations: PROFILE,
  faq_items: CONTENT,
  fee_estimates: `${PAYMENTS}/ledger/fees.store.ts`,
  former_category_slugs: CATALOGUE,
  former_product_slugs: CATALOGUE,
  idempotency_keys: `${ORDERS}/checkout/idempotency-keys.store.ts`,
  invoice_numbers: INVOICES,
  invoice_requests: 'src/shop/invoices/requests.store.ts',
  invoices: INVOICES,
  inventory_settings: `${INVENTORY}/low-stock/store.ts`,
  last_rate: 'src/platform/rates/store.ts',
  leases: 'src/platform/database/leader-lock.ts',
  legal_drafts: CONTENT,
  legal_versions: CONTENT,
  low_stock_reports: `${INVENTORY}/low-stock/store.ts`,
  low_stock_thresholds: `${INVENTORY}/low-stock/store.ts`,
  mails: 'src/platform/mail/store.ts',
  order_addresses: `${PAYMENTS}/addresses/store.ts`,
  ecb_fetches: 'src/shop/invoices/currency/ecb.store.ts',
  ecb_rates: 'src/shop/invoices/currency/ecb.store.ts',
  national_currency_settings: 'src/shop/invoices/currency/store.ts',
  national_rates: 'src/shop/invoices/currency/store.ts',
  order_events: ORDERS,
  order_filters: `${ORDERS}/desk/store.ts`,
  order_line_costs: ORDERS,
  order_lines: ORDERS,
  order_notes: `${ORDERS}/desk/store.ts`,
  order_terms: `${ORDERS}/terms/store.ts`,
  orders: ORDERS,
  paid_order_mail_settings: `${ORDERS}/desk/paid-order-mails.store.ts`,
  paid_order_reports: `${ORDERS}/desk/paid-order-mails.store.ts`,
  password_reset_codes: PASSWORD_RESET,
  password_reset_requests: PASSWORD_RESET,
  password_reset_tries: PASSWORD_RESET,
  payment_outputs: PAYMENTS,
  pictures: 'src/shop/pictures/store.ts',
  price_records: CATALOGUE,
  product_costs: CATALOGUE,
  product_descriptions: CATALOGUE,
  product_drafts: CATALOGUE,
  product_edits: CATALOGUE,
  product_sales: CATALOGUE,
  sale_changes: CATALOGUE,
  product_values: CATALOGUE,
  product_variants: CATALOGUE,
  variant_costs: CATALOGUE,
  products: CATALOGUE,
  promotion_uses: PROMOTIONS,
  promotions: PROMOTIONS,
  properties: CATALOGUE,
  property_values: CATALOGUE,
  quote_counts: `${ORDERS}/checkout/quotes.store.ts`,
  rate_limits: 'src/platform/database/expired-rate-limits.ts',
  refund_address_confirmations: `${REFUNDS}/addresses/store.ts`,
  refund_addresses: `${REFUNDS}/addresses/store.ts`,
  refund_lines: REFUNDS,
  refund_parts: REFUNDS,
  refund_scripts: `${PAYMENTS}/ledger/payouts.store.ts`,
  refunds: REFUNDS,
  restores: `${REFUNDS}/manual/store.ts`,
  return_files: `${RETURNS}/files`,
  return_lines: RETURNS,
  return_serials: RETURNS,
  returns: RETURNS,
  reviews: 'src/shop/reviews/store.ts',
  revisions: 'src/platform/database/revisions.ts',
  sale_prices: CATALOGUE,
  sale_variant_prices: CATALOGUE,
  schema_migrations: 'src/platform/database/migrate.ts',
  serial_numbers: `${ORDERS}/fulfilment/serials.store.ts`,
  sessions: ACCOUNTS,
  shipment_lines: `${ORDERS}/fulfilment/shipments.store.ts`,
  shipments: `${ORDERS}/fulfilment/shipments.store.ts`,
  shop_secrets: 'src/platform/security/devices/store.ts',
  stock_alerts: `${INVENTORY}/alerts/store.ts`,
  stock_changes: INVENTORY,
  stock_history: `${INVENTORY}/adjustments/store.ts`,
  shipping_settings: 'src/shop/shipping/store.ts',
  shop_settings: 'src/shop/shop-settings/store.ts',
  tax_settings: 'src/shop/tax/store.ts',
  stock_holds: INVENTORY,
  ticket_messages: TICKETS,
  ticket_notes: TICKETS,
  tickets: TICKETS,
  users: ACCOUNTS,
  untracked_variants: INVENTORY,
  variant_stock: INVENTORY,
  webhook_attempts: `${WEBHOOKS}/deliveries/store.ts`,
  webhook_deliveries: WEBHOOKS,
  webhook_endpoints: WEBHOOKS,
  webhook_events: `${WEBHOOKS}/events/store.ts`,
  // Filled by a trigger on variant_stock.
  webhook_stock_changes: `${WEBHOOKS}/events/sources.store.ts`,
  withdrawals: `${RETURNS}/withdrawal`,
  wallets: `${PAYMENTS}/addresses/store.ts`,
  write_offs: `${REFUNDS}/manual/store.ts`,
  // Restoring a backup writes every table.
  [COMPUTED]: 'src/platform/database/restore.ts',
  backups: 'src/platform/database/backup-record.ts',
  // The schema of the job queue, which pg-boss creates.
  pgboss: 'src/platform/jobs',
  // Written by a trigger on orders.
  sale_lines: 'src/shop/admin/sales/store.ts',
  part_states: 'src/shop/admin/settings/store.ts',
  write_probe: 'src/platform/database/write-probe.ts',
};

/** Tests, the seed and the benchmarks fill tables directly. */
const EXEMPT_PATHS = /^(?:tests|db)\/|\.test\.tsx?$|^scripts\/(?:bench|stress)\//;

const NAME = String.raw`(?:only\s+)?(?:"?public"?\s*\.\s*)?("?[a-z_][a-z0-9_]*"?|\$\{)`;
/** An `update` counts only with its `set`: the word alone also occurs in `for update of` and in messages. */
const WRITES = [
  String.raw`\binsert\s+into\s+${NAME}`,
  String.raw`\bdelete\s+from\s+${NAME}`,
  String.raw`\bmerge\s+into\s+${NAME}`,
  String.raw`\btruncate\s+(?:table\s+)?${NAME}`,
  String.raw`\bupdate\s+${NAME}(?:(?<=\$\{)[^}]*\})?(?:\s+(?:as\s+)?[a-z_]+)?\s+set\b`,
  String.raw`\.(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:['"\x60]([a-z_]+)[^)]*|[^'"\x60)][^)]*)\)`,
].map((pattern) => new RegExp(pattern, 'gi'));

/** The tables that a file inserts into, updates, deletes from, merges into or truncates. */
export function listWrittenTables(text: string): string[] {
  const code = removeComments(text);
  const names = WRITES.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name]) => name ?? '${'));
  return [...new Set(names.map((name) => (name === '${' ? COMPUTED : name.replaceAll('"', '').toLowerCase())))];
}

/** One line for each table that a file writes and does not own. */
export function findForeignWrites({ path, text }: SourceFile): string[] {
  if (EXEMPT_PATHS.test(path)) return [];
  return listWrittenTables(text).flatMap((table) => {
    const owner = TABLE_OWNERS[table];
    if (owner === undefined) return [`${path}: writes ${table}, which has no owner`];
    return path === owner || path.startsWith(`${owner}/`) ? [] : [`${path}: writes ${table}, which ${owner} owns`];
  });
}

/** The tables that exist after the migrations, in the order of their creation. */
export function listTables(migrations: readonly string[]): string[] {
  const tables = new Set<string>();
  const change =
    /\b(create|drop)\s+(?:unlogged\s+)?table\s+(?:if\s+(?:not\s+)?exists\s+)?([a-z_]+)|\btable\s+([a-z_]+)\s+rename\s+to\s+([a-z_]+)/gi;
  for (const migration of migrations) {
    for (const [, verb, name = '', from = '', to = ''] of migration.matchAll(change)) {
      tables.delete(verb === undefined ? from : name);
      if (verb?.toLowerCase() !== 'drop') tables.add(verb === undefined ? to : name);
    }
  }
  return [...tables];
}

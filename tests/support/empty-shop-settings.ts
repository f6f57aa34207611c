import { UTC } from '#src/shop/format.ts';
import type { ShopSettingsData } from '#src/shop/shop-settings/shop-settings.ts';

/** Settings of a shop whose owner has entered nothing. */
export const EMPTY_SHOP_SETTINGS: ShopSettingsData = {
  identity: {
    version: 0,
    name: '',
    address: '',
    delivery_line: '',
    logo_path: null,
    favicon_path: null,
  },
  legal: {
    version: 0,
    company: '',
    registration_number: '',
    tax_number: '',
    contact_email: '',
    contact_phone: '',
    footer_note: '',
  },
  orders: { version: 0, order_prefix: '' },
  refunds: { version: 0, refund_method: 'value' },
  time: { version: 0, time_zone: UTC },
  late_payments: { version: 0, late_acceptance_days: 7 },
  returns: { version: 0, return_address: '', courtesy_days: 0, pays_return: false },
  mail: { version: 0, sender_name: '', mail_footer: '', support_email: '' },
  announcement: { version: 0, announcement_text: '', announcement_link: '', announcement_is_on: false },
  prices: { version: 0, large_reduction_percent: 50 },
  consumers: { version: 0, sells_to_eu_consumers: true, guarantee_notice_path: null },
  retention: {
    version: 0,
    erases_orders: false,
    order_years: 10,
    invoice_years: 10,
    message_years: 3,
    staff_record_years: 6,
  },
  formerOrderPrefixes: [],
};

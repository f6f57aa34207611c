/** Identity and settings of the shop. An empty text is not set. */
import { UTC } from '#src/shop/format.ts';

interface IdentitySettings {
  readonly name: string;
  readonly address: string;
  /** Delivery time in the header until a visitor chooses a country. */
  readonly delivery_line: string;
  readonly logo_path: string | null;
  readonly favicon_path: string | null;
}

interface LegalSettings {
  readonly company: string;
  readonly registration_number: string;
  readonly tax_number: string;
  readonly contact_email: string;
  readonly contact_phone: string;
  /** Last line of every page. */
  readonly footer_note: string;
}

interface OrderSettings {
  readonly order_prefix: string;
}

/** What a refund returns: the dollars paid at the rate of the refund, or the satoshis that paid them. */
export const refundMethods = ['value', 'kind'] as const;
export type RefundMethod = (typeof refundMethods)[number];

interface RefundSettings {
  readonly refund_method: RefundMethod;
}

interface TimeSettings {
  /** IANA name. Days of figures and exports, years of invoice numbers and dates of documents are those of this zone. */
  readonly time_zone: string;
}

interface LatePaymentSettings {
  /** Days after its expiry in which a late payment of an order is accepted automatically; 0: never. */
  readonly late_acceptance_days: number;
}

interface PriceSettings {
  /** Reductions of more than this many percent need a recent password. */
  readonly large_reduction_percent: number;
}

interface ConsumerSettings {
  /**
   * Consumers in the EU or the United Kingdom can buy here: shows energy labels and a button that says it obliges, and
   * lets buyers withdraw on the shop’s own pages (2011/83/EU, article 11a). Order mails carry the instruction on
   * withdrawal and the withdrawal form.
   */
  readonly sells_to_eu_consumers: boolean;
  /** Official file of the notice of the legal guarantee (Implementing Regulation 2025/1960, annex I); null: none. */
  readonly guarantee_notice_path: string | null;
}

interface ReturnSettings {
  /** Where returns are sent to, in lines; empty: the shop's address. */
  readonly return_address: string;
  /** Days after the last parcel in which the shop takes back what has no defect; 0: never. */
  readonly courtesy_days: number;
  /** The shop, not the buyer, bears the cost of sending goods back after a withdrawal. */
  readonly pays_return: boolean;
}

interface RetentionSettings {
  /** Names and addresses of ended orders, and buyers and contents of invoices, are erased after their years. */
  readonly erases_orders: boolean;
  /** Full calendar years after the one in which an order ended. */
  readonly order_years: number;
  /** Full calendar years after the one in which a document was issued. */
  readonly invoice_years: number;
  /** Years of 365 days after the last message: tickets, contact messages and texts of returns. */
  readonly message_years: number;
  /** Years for which the audit log has details. */
  readonly staff_record_years: number;
}

interface MailSettings {
  readonly sender_name: string;
  readonly mail_footer: string;
  /** Receives the mails to staff. */
  readonly support_email: string;
}

interface AnnouncementSettings {
  readonly announcement_text: string;
  /** A path of the shop or an http(s) URL. */
  readonly announcement_link: string;
  readonly announcement_is_on: boolean;
}

export interface SettingsOfSections {
  readonly identity: IdentitySettings;
  readonly legal: LegalSettings;
  readonly orders: OrderSettings;
  readonly refunds: RefundSettings;
  readonly time: TimeSettings;
  readonly late_payments: LatePaymentSettings;
  readonly returns: ReturnSettings;
  readonly mail: MailSettings;
  readonly announcement: AnnouncementSettings;
  readonly prices: PriceSettings;
  readonly consumers: ConsumerSettings;
  readonly retention: RetentionSettings;
}
export type SettingsSection = keyof SettingsOfSections;

/** In the order in which they are stored. */
export const settingsSections = [
  'identity',
  'legal',
  'orders',
  'refunds',
  'time',
  'late_payments',
  'returns',
  'mail',
  'announcement',
  'prices',
  'consumers',
  'retention',
] as const satisfies readonly SettingsSection[];

/** A section with its version, which each change increments. */
export type Versioned<Section extends SettingsSection> = SettingsOfSections[Section] & { readonly version: number };
export type ShopSettingsData = { readonly [Section in SettingsSection]: Versioned<Section> } & {
  readonly formerOrderPrefixes: readonly string[];
};

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

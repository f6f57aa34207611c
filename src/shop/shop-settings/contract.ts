import { z } from 'zod';
import { rowVersion, text } from '#src/shop/codecs.ts';
import type { Contract } from '#src/shop/codecs.ts';
import { shippingOffers } from '#src/shop/shipping/compute-shipping.ts';
import { isOfferedTimeZone } from '#src/shop/shop-days.ts';
import { refundMethods } from './refund-method.ts';
import { isLink, isOneLine, MAIL_ADDRESS, ORDER_PREFIX, PHONE, PICTURE_PATH } from './check-text.ts';

const LATE_DAYS = { message: 'must be a whole number from 0 to 365' };
const PERCENT = { message: 'must be a whole number from 0 to 100' };
/** Incremented by each change of a section. */
const version = rowVersion(0);
const line = (maximum: number) => text(maximum).refine(isOneLine, { message: 'must be one line' }).trim();
const matching = (maximum: number, pattern: RegExp, message: string) =>
  line(maximum).refine((value) => value === '' || pattern.test(value), { message });
const mailAddress = matching(254, MAIL_ADDRESS, 'must be a mail address, such as help@shop.example');
const picturePath = text(300)
  .regex(PICTURE_PATH, { message: 'must be the path of a picture of the library' })
  .nullable();

const identity = z.object({
  name: line(60),
  address: line(200),
  /** Delivery time in the header until a visitor chooses a country. */
  delivery_line: line(60),
  logo_path: picturePath,
  favicon_path: picturePath,
});
const legal = z.object({
  company: line(120),
  registration_number: line(60),
  tax_number: line(60),
  contact_email: mailAddress,
  contact_phone: matching(40, PHONE, 'must be a phone number, such as +44 20 7946 0000'),
  /** Last line of every page. */
  footer_note: line(200),
});
const orders = z.object({
  order_prefix: z.string().regex(ORDER_PREFIX, {
    message: 'must be empty or up to 10 capital letters, digits and hyphens, starting with a letter or digit',
  }),
});
const refunds = z.object({
  /** Of every refund from now on; surplus and payments of orders that are not paid are returned in kind. */
  refund_method: z.enum(refundMethods),
});
const time = z.object({
  /** IANA name. Days of figures and exports, years of invoice numbers and dates of documents are those of this zone. */
  time_zone: text(60).refine(isOfferedTimeZone, { message: 'must be a time zone, such as Europe/Berlin' }),
});
const latePayments = z.object({
  /** Days after its expiry in which a late payment is accepted automatically; 0: never. */
  late_acceptance_days: z.int(LATE_DAYS).min(0, LATE_DAYS).max(365, LATE_DAYS),
});
const returns = z.object({
  /** Where returns are sent to, in lines; empty: the shop's address. */
  return_address: text(400).trim(),
  /** Days after the last parcel in which the shop takes back what has no defect; 0: never. */
  courtesy_days: z.int(LATE_DAYS).min(0, LATE_DAYS).max(365, LATE_DAYS),
  /** The shop bears the cost of sending goods back after a withdrawal. */
  pays_return: z.boolean().default(false),
});
const mail = z.object({
  sender_name: line(60),
  mail_footer: text(500).trim(),
  /** Receives the mails to staff. */
  support_email: mailAddress,
});
const announcement = z.object({
  announcement_text: line(140),
  /** A path of the shop or an http(s) URL. */
  announcement_link: line(300).refine((value) => value === '' || isLink(value), {
    message: 'must start with / or https://',
  }),
  announcement_is_on: z.boolean(),
});
const prices = z.object({
  /** A change of prices or promotions by more than this needs a recent password. */
  large_reduction_percent: z.int(PERCENT).min(0, PERCENT).max(100, PERCENT),
});
const consumers = z.object({
  /**
   * Consumers in the EU or the United Kingdom can buy here: shows energy labels and a button that says it obliges, and
   * lets buyers withdraw on the shop’s own pages (2011/83/EU, article 11a). Order mails carry the instruction on
   * withdrawal and the withdrawal form.
   */
  sells_to_eu_consumers: z.boolean(),
  /** Official file of the notice of the legal guarantee (Implementing Regulation 2025/1960, annex I); null: none. */
  guarantee_notice_path: picturePath.default(null),
});

const years = (minimum: number) => {
  const message = `must be a whole number from ${minimum} to 30`;
  return z.int({ message }).min(minimum, { message }).max(30, { message });
};
const retention = z.object({
  /** Names and addresses of ended orders, and buyers and contents of invoices, are erased after their years. */
  erases_orders: z.boolean(),
  /** Full calendar years after the one in which an order ended. Two: goods have a guarantee of two years. */
  order_years: years(2),
  /** Full calendar years after the one in which a document was issued. No country asks for less than five. */
  invoice_years: years(5),
  /** Years of 365 days after the last message: tickets, contact messages and texts of returns. */
  message_years: years(1),
  /** Years for which the audit log has details. */
  staff_record_years: years(1),
});

/** The fields of each section; the types, the store and the forms follow from them. */
export const settingsSchemas = {
  identity,
  legal,
  orders,
  refunds,
  time,
  late_payments: latePayments,
  returns,
  mail,
  announcement,
  prices,
  consumers,
  retention,
};
export type DescribedSections = {
  readonly [Section in keyof typeof settingsSchemas]: Readonly<z.output<(typeof settingsSchemas)[Section]>>;
};

const describesShop = z.object({
  name: z.string(),
  address: z.string(),
  delivery_line: z.string(),
  logo_path: z.string().nullable(),
  favicon_path: z.string().nullable(),
  company: z.string(),
  registration_number: z.string(),
  tax_number: z.string(),
  contact_email: z.string(),
  contact_phone: z.string(),
  footer_note: z.string(),
  /** What may be promised of shipping. */
  shipping: z.enum(shippingOffers),
  /** Whether prices include the tax; null while nothing is taxed. */
  tax: z.object({ name: z.string(), is_included: z.boolean() }).nullable(),
  /** Consumers in the EU or the United Kingdom can buy here. */
  sells_to_eu_consumers: z.boolean(),
  guarantee_notice_path: z.string().nullable(),
  /** Null while it is off. */
  announcement: z.object({ text: z.string(), link: z.string() }).nullable(),
});
/** What every visitor sees of the shop itself. */
export type ShopDescription = z.input<typeof describesShop>;

const saved = { 401: 'reauth', 403: 'forbidden', 409: 'changed-meanwhile' } as const;
const changeOf = <Shape extends z.ZodRawShape>(section: z.ZodObject<Shape>, summary: string) => {
  const versioned = section.extend({ version });
  return { summary: `Owner: ${summary}`, body: versioned, response: versioned, refusals: saved };
};

const announcementChange = changeOf(announcement, 'changes the line above the header');
const announcementBody = announcementChange.body.refine(
  ({ announcement_is_on: isOn, announcement_text: shown }) => !isOn || shown !== '',
  { path: ['announcement_text'], message: 'is required while the announcement is on' },
);

/** Sections that one form saves. */
const changedSections = z
  .object({
    identity: identity.extend({ version }).optional(),
    legal: legal.extend({ version }).optional(),
    orders: orders.extend({ version }).optional(),
    refunds: refunds.extend({ version }).optional(),
    time: time.extend({ version }).optional(),
    late_payments: latePayments.extend({ version }).optional(),
    returns: returns.extend({ version }).optional(),
    mail: mail.extend({ version }).optional(),
    announcement: announcementBody.optional(),
    prices: prices.extend({ version }).optional(),
    consumers: consumers.extend({ version }).optional(),
    retention: retention.extend({ version }).optional(),
  })
  .refine((sections) => Object.values(sections).some((section) => section !== undefined), {
    message: 'must have a section',
  });

const allSections = z.object({
  identity: identity.extend({ version }),
  legal: legal.extend({ version }),
  orders: orders.extend({ version }),
  refunds: refunds.extend({ version }),
  time: time.extend({ version }),
  late_payments: latePayments.extend({ version }),
  returns: returns.extend({ version }),
  mail: mail.extend({ version }),
  announcement: announcement.extend({ version }),
  prices: prices.extend({ version }),
  consumers: consumers.extend({ version }),
  retention: retention.extend({ version }),
});

export const shopSettingsApi = {
  'GET /shop': {
    summary: 'Name, address, legal identity and announcement of the shop. A text that is not set is empty',
    response: describesShop,
  },
  'GET /shop/settings': {
    summary: 'Staff: all settings of the shop by section, with the version of each',
    response: allSections.extend({
      /** What the time zone may be. */
      time_zones: z.array(z.string()),
    }),
    refusals: { 403: 'forbidden' },
  },
  'PUT /shop/settings': {
    summary: 'Owner: changes several sections together, or none of them',
    body: changedSections,
    response: allSections,
    failureMessage: 'The settings were not saved',
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'changed-meanwhile, too-many-prefixes' },
  },
  'PUT /shop/settings/identity': changeOf(identity, 'changes name, address and pictures of the shop'),
  'PUT /shop/settings/legal': changeOf(legal, 'changes the legal identity'),
  'PUT /shop/settings/orders': {
    ...changeOf(orders, 'changes the prefix of order numbers. Numbers with a former prefix are still found'),
    refusals: { 401: 'reauth', 403: 'forbidden', 409: 'changed-meanwhile, too-many-prefixes' },
  },
  'PUT /shop/settings/refunds': changeOf(refunds, 'changes what a refund returns: dollars paid, or the same satoshis'),
  'PUT /shop/settings/time': changeOf(time, 'changes the time zone of days, years and printed dates'),
  'PUT /shop/settings/late-payments': changeOf(
    latePayments,
    'changes for how many days after its expiry a late payment is accepted automatically',
  ),
  'PUT /shop/settings/returns': changeOf(
    returns,
    'changes where returns are sent to, and for how long they are taken by courtesy',
  ),
  'PUT /shop/settings/mail': changeOf(mail, 'changes sender name, footer and the address that receives staff mails'),
  'PUT /shop/settings/announcement': {
    ...announcementChange,
    body: announcementBody,
  },
  'PUT /shop/settings/prices': changeOf(
    prices,
    'changes above which reduction prices and promotions need the password',
  ),
  'PUT /shop/settings/consumers': changeOf(
    consumers,
    'changes whether the shop sells to consumers in the EU or the United Kingdom, and shows what they must be shown',
  ),
  'PUT /shop/settings/retention': changeOf(
    retention,
    'changes for how long orders, invoices, messages and records of staff are kept',
  ),
} as const satisfies Contract;

/** The sections of the settings: their fields, and how each is stored. */
import { retentionSection } from './retention-section.ts';
import { readNumber, readText } from './settings-field.ts';
import type { FieldValues, SectionForm, StoredSection } from './settings-field.ts';

export const sectionForms: readonly SectionForm[] = [
  {
    id: 'identity',
    title: 'Identity',
    text: 'Shown in the header and footer of every page, in mails, on receipts and in wallets.',
    related: { to: '/admin/content?part=home', text: 'Edit title, description and hero of the home page' },
    fields: [
      { name: 'name', label: 'Name of the shop', maxLength: 60 },
      { name: 'address', label: 'Address', maxLength: 200, hint: 'In one line: street, city, country.' },
      {
        name: 'delivery_line',
        label: 'Delivery line',
        maxLength: 60,
        hint: 'Shown in the header until a visitor chooses a country.',
      },
      {
        name: 'logo_path',
        label: 'Logo',
        maxLength: 300,
        kind: 'picture',
        hint: 'Shown in the header instead of the name, up to 128 × 32 pixels. It may be transparent.',
      },
      {
        name: 'favicon_path',
        label: 'Icon',
        maxLength: 300,
        kind: 'picture',
        hint: 'A square picture of at least 512 × 512 pixels, for browser tabs and home screens.',
      },
    ],
    toBody: (values, version) => ({
      identity: {
        version,
        name: readText(values, 'name'),
        address: readText(values, 'address'),
        delivery_line: readText(values, 'delivery_line'),
        logo_path: readText(values, 'logo_path').trim() || null,
        favicon_path: readText(values, 'favicon_path').trim() || null,
      },
    }),
  },
  {
    id: 'legal',
    title: 'Legal identity',
    text: 'Shown on the contact page and on receipts.',
    fields: [
      { name: 'company', label: 'Company', maxLength: 120 },
      { name: 'registration_number', label: 'Company number', maxLength: 60 },
      { name: 'tax_number', label: 'Tax number', maxLength: 60 },
      { name: 'contact_email', label: 'Contact email', maxLength: 254, kind: 'email' },
      { name: 'contact_phone', label: 'Contact phone', maxLength: 40, kind: 'tel' },
      { name: 'footer_note', label: 'Note in the footer', maxLength: 200, hint: 'The last line of every page.' },
    ],
    toBody: (values, version) => ({
      legal: {
        version,
        company: readText(values, 'company'),
        registration_number: readText(values, 'registration_number'),
        tax_number: readText(values, 'tax_number'),
        contact_email: readText(values, 'contact_email'),
        contact_phone: readText(values, 'contact_phone'),
        footer_note: readText(values, 'footer_note'),
      },
    }),
  },
  {
    id: 'orders',
    title: 'Order numbers',
    text: 'Numbers that customers already know are still found after a change.',
    fields: [
      {
        name: 'order_prefix',
        label: 'Prefix',
        maxLength: 10,
        hint: 'Up to 10 capital letters, digits and hyphens, such as AB-. Leave it empty for none.',
      },
    ],
    toBody: (values, version) => ({ orders: { version, order_prefix: readText(values, 'order_prefix').trim() } }),
  },
  {
    id: 'refunds',
    title: 'Refunds',
    text: 'What a refund of a paid order returns. Overpayments, double payments and payments for orders that are not paid are always returned in the same satoshis. Texts with {refund_rule} follow this setting.',
    related: { to: '/admin/content?part=returns', text: 'Edit the policy on returns' },
    fields: [
      {
        name: 'refund_method',
        label: 'A refund returns',
        maxLength: 10,
        kind: 'choice',
        options: {
          value: 'The dollars paid, at the bitcoin price of the refund',
          kind: 'The bitcoin paid, whatever it is worth',
        },
        hint: 'Applies to every refund that is created from now on.',
      },
    ],
    toBody: (values, version) => ({
      refunds: { version, refund_method: readText(values, 'refund_method') === 'kind' ? 'kind' : 'value' },
    }),
  },
  {
    id: 'time',
    title: 'Time zone',
    text: 'Sales by day, exports, filters by date, the year of invoice numbers and the dates on invoices, credit notes and packing slips are in this time zone. Documents that were issued before a change stay as they are.',
    fields: [{ name: 'time_zone', label: 'Time zone', maxLength: 60, kind: 'time-zone' }],
    toBody: (values, version) => ({ time: { version, time_zone: readText(values, 'time_zone') } }),
  },
  {
    id: 'late_payments',
    title: 'Late payments',
    text: 'A payment that is confirmed after its order has expired is accepted automatically if the bitcoin price still fits and everything is in stock. After this time the dollar price of the order is no longer valid, and staff decide.',
    fields: [
      {
        name: 'late_acceptance_days',
        label: 'Days after expiry',
        maxLength: 3,
        kind: 'number',
        hint: 'From 0 to 365. With 0, staff decide on every late payment.',
      },
    ],
    toBody: (values, version) => ({
      late_payments: { version, late_acceptance_days: readNumber(values, 'late_acceptance_days') },
    }),
  },
  {
    id: 'returns',
    title: 'Returns',
    text: 'Buyers report a defect at any time. Withdrawals from the contract follow the law, whatever is set here. The withdrawal instruction in order mails says where goods are sent back to, and who pays for it.',
    fields: [
      {
        name: 'return_address',
        label: 'Return address',
        maxLength: 400,
        kind: 'lines',
        hint: 'On the slips of returns. Empty: the address of the shop.',
      },
      {
        name: 'courtesy_days',
        label: 'Days for returns without a defect',
        maxLength: 3,
        kind: 'number',
        hint: 'After the last parcel, from 0 to 365. With 0, buyers can’t start such a return.',
      },
      {
        name: 'pays_return',
        label: 'The shop pays for sending goods back after a withdrawal',
        maxLength: 0,
        kind: 'switch',
      },
    ],
    toBody: (values, version) => ({
      returns: {
        version,
        return_address: readText(values, 'return_address'),
        courtesy_days: readNumber(values, 'courtesy_days'),
        pays_return: values['pays_return'] === true,
      },
    }),
  },
  {
    id: 'mail',
    title: 'Mail',
    text: 'The address that mails are sent from is MAIL_FROM of the environment.',
    fields: [
      { name: 'sender_name', label: 'Sender name', maxLength: 60 },
      {
        name: 'support_email',
        label: 'Support email',
        maxLength: 254,
        kind: 'email',
        hint: 'Receives mails to staff: new tickets, messages and tasks.',
      },
      {
        name: 'mail_footer',
        label: 'Footer',
        maxLength: 500,
        kind: 'lines',
        hint: 'Below every mail, up to 500 characters.',
      },
    ],
    toBody: (values, version) => ({
      mail: {
        version,
        sender_name: readText(values, 'sender_name'),
        support_email: readText(values, 'support_email'),
        mail_footer: readText(values, 'mail_footer'),
      },
    }),
  },
  {
    id: 'announcement',
    title: 'Announcement',
    text: 'A line above the header of every page.',
    fields: [
      { name: 'announcement_text', label: 'Text', maxLength: 140 },
      {
        name: 'announcement_link',
        label: 'Link',
        maxLength: 300,
        hint: 'Optional: a path such as /promo, or an address that starts with https://',
      },
      { name: 'announcement_is_on', label: 'Show the announcement', maxLength: 0, kind: 'switch' },
    ],
    toBody: (values, version) => ({
      announcement: {
        version,
        announcement_text: readText(values, 'announcement_text'),
        announcement_link: readText(values, 'announcement_link'),
        announcement_is_on: values['announcement_is_on'] === true,
      },
    }),
  },
  {
    id: 'prices',
    title: 'Prices and promotions',
    text: 'Whoever lowers a price, or saves a sale price or promotion, by more than this percentage enters the password again. API keys need the scope prices:write instead.',
    fields: [
      {
        name: 'large_reduction_percent',
        label: 'Reduction in percent',
        maxLength: 3,
        kind: 'number',
        hint: 'From 0 to 100. With 0, every reduction needs the password; with 100, none does.',
      },
    ],
    toBody: (values, version) => ({
      prices: { version, large_reduction_percent: readNumber(values, 'large_reduction_percent') },
    }),
  },
  {
    id: 'consumers',
    title: 'Consumers in the EU and UK',
    text: 'Lets buyers withdraw from the contract on the shop’s pages, sends the withdrawal instruction, the withdrawal form and a reminder of the legal guarantee with order mails, links that reminder, shows energy labels beside prices, and an order button that says that ordering obliges to pay. Switch it off only if no consumer there can buy from you.',
    related: { to: '/admin/content?part=terms', text: 'Edit the legal texts' },
    fields: [
      {
        name: 'sells_to_eu_consumers',
        label: 'Sells to consumers in the EU or UK',
        maxLength: 0,
        kind: 'switch',
      },
      {
        name: 'guarantee_notice_path',
        label: 'Notice of the legal guarantee',
        maxLength: 300,
        kind: 'picture',
        hint: 'The official, unchanged file of the European Commission (Implementing Regulation 2025/1960, annex I), in the language of your shop. Shown on /legal-guarantee, which product pages, checkout and footer link.',
      },
    ],
    toBody: (values, version) => ({
      consumers: {
        version,
        sells_to_eu_consumers: values['sells_to_eu_consumers'] === true,
        guarantee_notice_path: readText(values, 'guarantee_notice_path').trim() || null,
      },
    }),
  },
  retentionSection,
];

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The values of a stored section's fields. */
export function toFieldValues({ fields }: Pick<SectionForm, 'fields'>, stored: StoredSection): FieldValues {
  const valueOf = new Map<string, unknown>(Object.entries(stored));
  const values: Record<string, string | boolean> = {};
  for (const { kind, name } of fields) {
    const value = valueOf.get(name);
    values[name] = kind === 'switch' ? value === true : toText(value);
  }
  return values;
}

/** The sections of the settings: their fields. */
import { retentionSection } from './retention-section.ts';
import { defineSection } from './settings-field.ts';
import type { FieldValues, SectionForm, StoredSection } from './settings-field.ts';

export const sectionForms: readonly SectionForm[] = [
  defineSection('identity', {
    title: 'Identity',
    text: 'Shown in the header and footer of every page, in mails, on receipts and in wallets.',
    related: { to: '/admin/content?part=home', text: 'Edit title, description and hero of the home page' },
    fields: {
      name: { label: 'Name of the shop', maxLength: 60 },
      address: { label: 'Address', maxLength: 200, hint: 'In one line: street, city, country.' },
      delivery_line: {
        label: 'Delivery line',
        maxLength: 60,
        hint: 'Shown in the header until a visitor chooses a country.',
      },
      logo_path: {
        label: 'Logo',
        maxLength: 300,
        kind: 'picture',
        hint: 'Shown in the header instead of the name, up to 128 × 32 pixels. It may be transparent.',
      },
      favicon_path: {
        label: 'Icon',
        maxLength: 300,
        kind: 'picture',
        hint: 'A square picture of at least 512 × 512 pixels, for browser tabs and home screens.',
      },
    },
  }),
  defineSection('legal', {
    title: 'Legal identity',
    text: 'Shown on the contact page and on receipts.',
    fields: {
      company: { label: 'Company', maxLength: 120 },
      registration_number: { label: 'Company number', maxLength: 60 },
      tax_number: { label: 'Tax number', maxLength: 60 },
      contact_email: { label: 'Contact email', maxLength: 254, kind: 'email' },
      contact_phone: { label: 'Contact phone', maxLength: 40, kind: 'tel' },
      footer_note: { label: 'Note in the footer', maxLength: 200, hint: 'The last line of every page.' },
    },
  }),
  defineSection('orders', {
    title: 'Order numbers',
    text: 'Numbers that customers already know are still found after a change.',
    fields: {
      order_prefix: {
        label: 'Prefix',
        maxLength: 10,
        hint: 'Up to 10 capital letters, digits and hyphens, such as AB-. Leave it empty for none.',
      },
    },
  }),
  defineSection('refunds', {
    title: 'Refunds',
    text: 'What a refund of a paid order returns. Overpayments, double payments and payments for orders that are not paid are always returned in the same satoshis. Texts with {refund_rule} follow this setting.',
    related: { to: '/admin/content?part=returns', text: 'Edit the policy on returns' },
    fields: {
      refund_method: {
        label: 'A refund returns',
        maxLength: 10,
        kind: 'choice',
        options: {
          value: 'The dollars paid, at the bitcoin price of the refund',
          kind: 'The bitcoin paid, whatever it is worth',
        },
        hint: 'Applies to every refund that is created from now on.',
      },
    },
  }),
  defineSection('time', {
    title: 'Time zone',
    text: 'Sales by day, exports, filters by date, the year of invoice numbers and the dates on invoices, credit notes and packing slips are in this time zone. Documents that were issued before a change stay as they are.',
    fields: { time_zone: { label: 'Time zone', maxLength: 60, kind: 'time-zone' } },
  }),
  defineSection('late_payments', {
    title: 'Late payments',
    text: 'A payment that is confirmed after its order has expired is accepted automatically if the bitcoin price still fits and everything is in stock. After this time the dollar price of the order is no longer valid, and staff decide.',
    fields: {
      late_acceptance_days: {
        label: 'Days after expiry',
        maxLength: 3,
        kind: 'number',
        hint: 'From 0 to 365. With 0, staff decide on every late payment.',
      },
    },
  }),
  defineSection('returns', {
    title: 'Returns',
    text: 'Buyers report a defect at any time. Withdrawals from the contract follow the law, whatever is set here. The withdrawal instruction in order mails says where goods are sent back to, and who pays for it.',
    fields: {
      return_address: {
        label: 'Return address',
        maxLength: 400,
        kind: 'lines',
        hint: 'On the slips of returns. Empty: the address of the shop.',
      },
      courtesy_days: {
        label: 'Days for returns without a defect',
        maxLength: 3,
        kind: 'number',
        hint: 'After the last parcel, from 0 to 365. With 0, buyers can’t start such a return.',
      },
      pays_return: {
        label: 'The shop pays for sending goods back after a withdrawal',
        maxLength: 0,
        kind: 'switch',
      },
    },
  }),
  defineSection('mail', {
    title: 'Mail',
    text: 'The address that mails are sent from is MAIL_FROM of the environment.',
    fields: {
      sender_name: { label: 'Sender name', maxLength: 60 },
      support_email: {
        label: 'Support email',
        maxLength: 254,
        kind: 'email',
        hint: 'Receives mails to staff: new tickets, messages and tasks.',
      },
      mail_footer: {
        label: 'Footer',
        maxLength: 500,
        kind: 'lines',
        hint: 'Below every mail, up to 500 characters.',
      },
    },
  }),
  defineSection('announcement', {
    title: 'Announcement',
    text: 'A line above the header of every page.',
    fields: {
      announcement_text: { label: 'Text', maxLength: 140 },
      announcement_link: {
        label: 'Link',
        maxLength: 300,
        hint: 'Optional: a path such as /promo, or an address that starts with https://',
      },
      announcement_is_on: { label: 'Show the announcement', maxLength: 0, kind: 'switch' },
    },
  }),
  defineSection('prices', {
    title: 'Prices and promotions',
    text: 'Whoever lowers a price, or saves a sale price or promotion, by more than this percentage enters the password again. API keys need the scope prices:write instead.',
    fields: {
      large_reduction_percent: {
        label: 'Reduction in percent',
        maxLength: 3,
        kind: 'number',
        hint: 'From 0 to 100. With 0, every reduction needs the password; with 100, none does.',
      },
    },
  }),
  defineSection('consumers', {
    title: 'Consumers in the EU and UK',
    text: 'Lets buyers withdraw from the contract on the shop’s pages, sends the withdrawal instruction, the withdrawal form and a reminder of the legal guarantee with order mails, links that reminder, shows energy labels beside prices, and an order button that says that ordering obliges to pay. Switch it off only if no consumer there can buy from you.',
    related: { to: '/admin/content?part=terms', text: 'Edit the legal texts' },
    fields: {
      sells_to_eu_consumers: {
        label: 'Sells to consumers in the EU or UK',
        maxLength: 0,
        kind: 'switch',
      },
      guarantee_notice_path: {
        label: 'Notice of the legal guarantee',
        maxLength: 300,
        kind: 'picture',
        hint: 'The official, unchanged file of the European Commission (Implementing Regulation 2025/1960, annex I), in the language of your shop. Shown on /legal-guarantee, which product pages, checkout and footer link.',
      },
    },
  }),
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

/** What the search of the back office finds: pages and actions in this document, everything else by the lists' own calls. */
import { mayUse } from '#src/shop/permissions.ts';
import type { Area } from '#src/shop/permissions.ts';
import { call } from '#src/storefront/call.ts';
import { listEntries } from './back-office-map.ts';

export interface Finding {
  /** Heading above findings of the same kind. */
  readonly group: string;
  readonly text: string;
  /** Distinguishes findings with the same text; empty: none. */
  readonly detail: string;
  readonly to: string;
}

export interface Findings {
  readonly findings: readonly Finding[];
  /** Groups that could not be searched. */
  readonly failed: readonly string[];
}

const MOST_PER_GROUP = 5;

const ACTIONS: readonly { readonly text: string; readonly to: string; readonly area: Area }[] = [
  { text: 'New order', to: '/admin/orders/new', area: 'manual-orders' },
  { text: 'New product', to: '/admin/products/new', area: 'catalogue' },
  { text: 'New promotion', to: '/admin/promotions/new', area: 'catalogue' },
  { text: 'Import products', to: '/admin/import', area: 'catalogue' },
  { text: 'Orders to ship', to: '/admin/orders?queue=to-ship', area: 'orders' },
];

/** Texts of the shop, which share a page. Written out, since their other names are in scripts that customers load. */
const TEXTS: readonly { readonly text: string; readonly part: string }[] = [
  { text: 'Home page', part: 'home' },
  { text: 'Delivery', part: 'delivery' },
  { text: 'How to buy', part: 'guide' },
  { text: 'FAQ', part: 'faq' },
  { text: 'Terms and conditions', part: 'terms' },
  { text: 'Privacy', part: 'privacy' },
  { text: 'Returns and refunds', part: 'returns' },
  { text: 'Accessibility', part: 'accessibility' },
];

/** Whether each word of the query begins a word of the text. */
function isMatch(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** Actions and pages of the role whose name matches. Found without a call. */
export function findPages(role: string, query: string): Finding[] {
  const actions = ACTIONS.filter(({ area, text }) => mayUse(role, area) && isMatch(text, query));
  const pages = listEntries(role).flatMap((entry) =>
    entry.sections
      .flatMap((section) => [section, ...(section.also ?? [])])
      .filter(({ text }) => isMatch(text, query) || isMatch(entry.text, query))
      .map(({ text, to }) => ({ text, to, entry: entry.text })),
  );
  const texts = mayUse(role, 'catalogue') ? TEXTS.filter(({ text }) => isMatch(text, query)) : [];
  return [
    ...actions.map(({ text, to }) => ({ group: 'Actions', text, detail: '', to })),
    ...pages.map(({ text, to, entry }) => ({ group: 'Pages', text, detail: entry === text ? '' : entry, to })),
    ...texts.map(({ text, part }) => ({
      group: 'Pages',
      text,
      detail: 'Content',
      to: `/admin/content?part=${part}`,
    })),
  ];
}

interface Source {
  readonly group: string;
  readonly area: Area;
  readonly find: (q: string, signal: AbortSignal) => Promise<readonly Omit<Finding, 'group'>[]>;
}

const SOURCES: readonly Source[] = [
  {
    // Also by transaction, recipient and address.
    group: 'Orders',
    area: 'orders',
    find: async (q, signal) =>
      (await call('GET /support/orders', { query: { q } }, { signal })).orders.map(
        ({ id, number, username, recipient }) => ({
          text: number,
          detail: recipient === '' ? username : recipient,
          to: `/admin/orders/${id}`,
        }),
      ),
  },
  {
    // Also by SKU and article.
    group: 'Products',
    area: 'catalogue',
    find: async (q, signal) =>
      (await call('GET /catalogue/products', { query: { q } }, { signal })).products.map(({ id, name, article }) => ({
        text: name,
        detail: article,
        to: `/admin/products/${id}`,
      })),
  },
  {
    group: 'Customers',
    area: 'customers',
    find: async (q, signal) =>
      (await call('GET /support/customers', { query: { q } }, { signal })).customers.map(({ id, username, email }) => ({
        text: username,
        detail: email,
        to: `/admin/customers/${id}`,
      })),
  },
  {
    group: 'Tickets',
    area: 'support',
    find: async (q, signal) =>
      (await call('GET /support/tickets', { query: { q } }, { signal })).tickets.map(
        ({ id, number, title, username }) => ({
          text: title,
          detail: `#${number}, ${username}`,
          to: `/admin/tickets/${id}`,
        }),
      ),
  },
  {
    group: 'Invoices',
    area: 'orders',
    find: async (q, signal) =>
      (await call('GET /support/invoices', { query: { q } }, { signal })).invoices.map(
        ({ number, buyer, order_id: id }) => ({
          text: number,
          detail: buyer,
          to: `/admin/orders/${id}`,
        }),
      ),
  },
];

/**
 * Whether a text is worth a call: at least three letters, or a number. Fewer letters match most customers, and each search
 * of personal data is in the security log.
 */
export const isSpecific = (query: string): boolean => query.length >= 3 || /\d/.test(query);

/** Lists what is named exactly as the query first: “iPhone 16” before “iPhone 16e”. */
export function putExactFirst<One extends { readonly text: string }>(found: readonly One[], query: string): One[] {
  const isOther = ({ text }: One): number => Number(text.toLowerCase() !== query.toLowerCase());
  return found.toSorted((one, other) => isOther(one) - isOther(other));
}

/** Searches everything that the role may see. A source that fails does not hide the others. */
export async function findEverywhere(role: string, query: string, signal: AbortSignal): Promise<Findings> {
  const sources = SOURCES.filter(({ area }) => mayUse(role, area));
  const answers = await Promise.allSettled(sources.map(({ find }) => find(query, signal)));
  const found = answers.map((answer, at) => ({ group: sources[at]?.group ?? '', answer }));
  return {
    findings: found.flatMap(({ group, answer }) =>
      answer.status === 'fulfilled'
        ? putExactFirst(answer.value, query)
            .slice(0, MOST_PER_GROUP)
            .map((one) => ({ group, ...one }))
        : [],
    ),
    failed: found.filter(({ answer }) => answer.status === 'rejected').map(({ group }) => group.toLowerCase()),
  };
}

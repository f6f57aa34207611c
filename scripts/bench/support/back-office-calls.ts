/** Lists, searches, charts and pages of the back office that grow with the number of orders or products. */
import { MAX_LISTED, stockFilters, stockSorts } from '#src/shop/inventory/stock-list/stock-list.ts';
import { productSorts, productStates } from '#src/shop/catalogue/editing/product-state.ts';
import { LARGE_IMPORT_ID } from '../../../tests/support/fill-large-shop.ts';

const PRODUCTS_GOAL_MS = 100;
const PAGE_LENGTH = 25;
/** The contract of `GET /catalogue/products` refuses further pages. */
const MAX_PRODUCT_PAGES = 400;

type Query = Readonly<Record<string, string>>;

export interface MeasuredList {
  /** Of a call below `/api`, or of a page if it starts with `/admin`. */
  readonly path: string;
  /** Queries that do not name a page; each is measured on the first, middle and last one. */
  readonly queries: readonly Query[];
  readonly maxPages?: number;
  /** Highest median in ms; default 150. */
  readonly goalMs?: number;
}

/** Searches of products by how many they find. */
const productSearches = {
  'many words': 'case',
  'two words': 'macbook pro',
  'three words': 'zagg rugged dock',
  'late in the alphabet': 'zagg',
  'most products': 'for',
  'part of a word': 'ook',
  'one letter': 'a',
  'one digit': '7',
  'one lot': 'lot 4711',
  sku: 'made-4711-1',
  'start of many skus': 'made-9',
  'start of every sku': 'm',
  'no match': 'typewriter',
  'words without a product': 'zagg typewriter',
  punctuation: '%_',
};

/** A word of every text, of one of ten, a hundred, a thousand, of one text, of none; short ones and symbols. */
const textSearches: readonly Query[] = [
  'parcel',
  'battery',
  'street77',
  'case777',
  'parcel battery late',
  'order 4711',
  'writer-4711',
  'made-4711@buyers.example',
  'buyers.example',
  'typewriter',
  'parcel typewriter',
  'ada',
  'a',
  'e',
  '7',
  'ry',
  '%_',
  'CM-100777',
  'ab'.repeat(32),
].map((q) => ({ q }));

/** All orders, each filter, and searches by how many orders they find. */
const orderQueries: readonly Query[] = [
  {},
  { queue: 'to-ship' },
  { status: 'paid' },
  { status: 'expired' },
  { status: 'refunded' },
  { fulfilment: 'unfulfilled' },
  { fulfilment: 'shipped', status: 'paid' },
  { from: '2026-01-01', to: '2026-06-30' },
  { country: 'DE' },
  { country: 'AQ' },
  { min: '500', max: '510' },
  { max: '12' },
  { promotion: 'made3' },
  { promotion: 'NONE' },
  { country: 'GB', status: 'paid', min: '1000', from: '2025-06-01' },
  ...[
    'lovelace',
    'ximenes',
    'ada',
    'a',
    'street',
    'ada lovelace elm street',
    'city',
    'P77',
    'P1234 city',
    'p',
    '7',
    'made',
    'made-buyer-777',
    'buyers.example',
    'made-4711@buyers.example',
    'CM-100777',
    '100777',
    'typewriter',
    'ada typewriter',
    '%_',
    'ab'.repeat(32),
  ].map((q) => ({ q })),
  { q: 'müller', queue: 'to-ship' },
  { q: 'typewriter', queue: 'to-ship' },
  { q: 'city', status: 'expired' },
  { q: 'ada', country: 'DE', status: 'paid' },
];

const salesQueries = ['7d', '30d', '90d', '12m'].map((period) => ({ period }));

const withEach = (name: string, values: readonly string[]): Query[] => values.map((value) => ({ [name]: value }));

function listProducts(categoryId: string, brandId: string): MeasuredList {
  const all = { category: categoryId, brand: brandId };
  const filters = [
    {},
    ...withEach('state', [...productStates, 'changed', 'reduced']),
    { category: categoryId },
    { brand: brandId },
    all,
    { ...all, state: 'withdrawn' },
  ];
  const searched = Object.values(productSearches).flatMap((q) => productSorts.map((sort) => ({ q, sort })));
  const both = ['case', 'zagg', 'lot 4711'].flatMap((q) => [
    { q, state: 'draft' },
    { q, state: 'reduced' },
    { q, category: categoryId, sort: 'name' },
  ]);
  return {
    path: '/catalogue/products',
    maxPages: MAX_PRODUCT_PAGES,
    goalMs: PRODUCTS_GOAL_MS,
    queries: [...filters.flatMap((filter) => productSorts.map((sort) => ({ ...filter, sort }))), ...searched, ...both],
  };
}

function listInventory(): MeasuredList {
  const filtered = stockFilters.flatMap((show) => stockSorts.map((sort) => ({ show, sort })));
  const searched = Object.values(productSearches).flatMap((q) => [
    ...stockSorts.map((sort) => ({ q, sort })),
    ...stockFilters.slice(1).map((show) => ({ q, show })),
  ]);
  return {
    path: '/inventory',
    maxPages: MAX_LISTED / PAGE_LENGTH,
    goalMs: PRODUCTS_GOAL_MS,
    queries: [...filtered, ...searched],
  };
}

const sorts = withEach('sort', ['newest', 'oldest', 'name']);
const customerQueries: readonly Query[] = [
  ...sorts,
  ...['blocked', 'with-orders'].flatMap((show) => sorts.map((sort) => ({ ...sort, show }))),
  ...textSearches,
  { q: 'made', show: 'with-orders', sort: 'name' },
];

const invoiceQueries: readonly Query[] = [
  {},
  ...withEach('kind', ['invoice', 'credit_note']),
  ...withEach('year', ['2024', '2025', '2026']),
  ...textSearches,
  ...withEach('q', ['lovelace', 'ximenes', 'ada lovelace', 'INV', 'INV-2026', 'CN-', 'CM-100', 'lo', 'müller']),
  { q: 'lovelace', kind: 'credit_note' },
  { q: 'typewriter', kind: 'credit_note', year: '2025' },
];

const auditQueries: readonly Query[] = [
  {},
  ...withEach('kind', ['order', 'promotion', 'refund']),
  { actor: 'command' },
  { from: '2026-01-01', to: '2026-03-31' },
  ...textSearches,
  ...withEach('q', ['firefox', 'mozilla firefox', 'cm', 'sta', 'staff late', 'zz']),
  { q: 'firefox', kind: 'promotion' },
  { q: 'parcel', kind: 'refund' },
  { q: 'battery', from: '2026-01-01', to: '2026-03-31' },
];

const ticketQueries: readonly Query[] = [
  {},
  ...withEach('status', ['open', 'in_progress', 'closed']),
  ...withEach('waiting', ['true', 'false']),
  ...withEach('assignee', ['me', 'nobody']),
  ...withEach('unread', ['true', 'false']),
  { sort: 'waiting' },
  { status: 'open', sort: 'waiting' },
  ...textSearches,
  ...withEach('q', ['#777', 'Delivery']),
  { q: 'parcel', status: 'open' },
  { q: 'typewriter', waiting: 'true' },
];

const messageQueries: readonly Query[] = [
  {},
  ...withEach('state', ['new', 'answered', 'done', 'spam', 'not-spam']),
  ...textSearches,
  { q: 'parcel', state: 'new' },
  { q: 'typewriter', state: 'spam' },
];

/** Lists that grow with the number of orders. */
const orderLists: readonly MeasuredList[] = [
  { path: '/support/orders', queries: orderQueries },
  { path: '/support/customers', queries: customerQueries },
  { path: '/support/invoices', queries: invoiceQueries },
  { path: '/support/audit', queries: auditQueries },
  { path: '/support/tickets', queries: ticketQueries },
  { path: '/support/ticket-counts', queries: [{}] },
  { path: '/support/contact-messages', queries: messageQueries },
  { path: '/support/reviews', queries: [{}, ...withEach('state', ['waiting', 'approved', 'rejected'])] },
  { path: '/support/reservations', queries: [{}] },
  { path: '/payments/attention', queries: [{}] },
  { path: '/support/todo', queries: [{}] },
  { path: '/support/health', queries: [{}] },
  { path: '/support/sales', queries: [...salesQueries, { period: '12m', by: 'day' }] },
  {
    path: '/support/sales/groups',
    queries: salesQueries.flatMap((query) =>
      ['product', 'category', 'country', 'promotion'].map((group) => ({ ...query, group })),
    ),
  },
];

const otherLists: readonly MeasuredList[] = [
  { path: '/catalogue/structure', queries: [{}] },
  { path: '/pictures', queries: [{}] },
  { path: '/support/promotions', queries: [{}, { q: 'MADE-4' }, { q: 'NONE' }, { state: 'running' }] },
  { path: '/imports', queries: [{}] },
  { path: `/imports/${LARGE_IMPORT_ID}/changes`, queries: [{}] },
  { path: '/content/home', queries: [{}] },
  { path: '/support/setup', queries: [{}] },
];

/** Pages with the calls that they make and their rendering. */
const pages: readonly MeasuredList[] = [
  { path: '/admin', queries: [{}] },
  { path: '/admin/payments', queries: [{}] },
  { path: '/admin/orders', queries: [{}, { q: 'city' }, { q: 'typewriter' }, { queue: 'to-ship' }] },
  { path: '/admin/customers', queries: [{}, { q: 'made' }, { q: 'typewriter' }] },
  { path: '/admin/invoices', queries: [{}, { q: 'lovelace' }] },
  { path: '/admin/audit', queries: [{}, { q: 'firefox' }] },
  { path: '/admin/tickets', queries: [{}, { q: 'parcel' }] },
  { path: '/admin/messages', queries: [{}, { q: 'parcel' }] },
  { path: '/admin/reviews', queries: [{}] },
  { path: '/admin/reservations', queries: [{}] },
  { path: '/admin/sales', queries: [{}, { period: '12m' }] },
  { path: '/admin/products', queries: [{}, { q: 'case' }] },
  { path: '/admin/inventory', queries: [{}, { q: 'case' }] },
  { path: '/admin/promotions', queries: [{}] },
  { path: '/admin/pictures', queries: [{}] },
];

/** @param categoryId of a category, for filters */
export const listMeasured = (categoryId: string, brandId: string): readonly MeasuredList[] => [
  ...orderLists,
  ...pages,
  listProducts(categoryId, brandId),
  listInventory(),
  ...otherLists,
];

/** First, middle and last page of a list with this many rows. */
export function pickPages(total: number, maxPages = Infinity): readonly number[] {
  const last = Math.max(1, Math.min(Math.ceil(total / PAGE_LENGTH), maxPages));
  return [...new Set([1, Math.ceil(last / 2), last])];
}

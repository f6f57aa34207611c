/** Order data for mail tests. */
import { cents, centsPerBtc, NO_SATS, sats } from '#src/shop/money.ts';
import type { OrderMailData } from '#src/shop/notifications/order-mail-parts.ts';
import type { MailFrame } from '#src/shop/notifications/render-mail.ts';
import type { ShownOrder } from '#src/shop/orders/show-order.ts';

const at = new Date('2026-03-01T12:34:00Z');
export const ID = '019a0000-0000-7000-8000-000000000001';
export const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
export const TXID = 'ab'.repeat(32);

export const mailFrame: MailFrame = {
  shopName: 'Crypto Market',
  shopAddress: '45 Elm Street',
  shopUrl: 'https://shop.example',
  markUrl: null,
  footer: '',
};

export const order: ShownOrder = {
  id: ID,
  number: 'CM-100001',
  order_items: [
    {
      product_id: ID,
      product: { name: 'iPhone 17', slug: 'iphone-17', main_image: '/i.avif' },
      quantity: 2,
      price_usd: cents(129_900n),
      price_btc: sats(1_170_300n),
      total_usd: cents(259_800n),
      total_btc: sats(2_340_600n),
      isFree: false,
      sku: 'IPH-17-1TB',
      property_values: [
        { id: ID, property: 'Memory Capacity', value: '1TB' },
        { id: ID, property: 'Colour', value: 'Black' },
      ],
    },
    {
      product_id: ID,
      product: { name: 'Cable', slug: 'cable', main_image: '/c.avif' },
      quantity: 1,
      price_usd: cents(0n),
      price_btc: NO_SATS,
      total_usd: cents(0n),
      total_btc: NO_SATS,
      isFree: true,
      sku: 'CABLE',
      property_values: [],
    },
  ],
  payment_status: 'pending',
  fulfilment_status: 'unfulfilled',
  total_price_usd: cents(259_800n),
  total_price_btc: sats(2_340_600n),
  total_usd_after: cents(233_820n),
  total_btc_after: sats(2_106_500n),
  discount: 10,
  discount_usd: cents(25_980n),
  discount_btc: sats(234_100n),
  shipping_usd: cents(0n),
  shipping_btc: NO_SATS,
  tax: null,
  waived_usd: cents(0n),
  waived_btc: NO_SATS,
  refunded_usd: cents(0n),
  refunded_btc: NO_SATS,
  net_usd: cents(233_820n),
  net_btc: 2_106_500n,
  promoCode: { code: 'WELCOME10', type: 'discount_percent', discount_value: 10 },
  billing: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    region: 'Europe',
    country: 'GB',
    streetAddress: 'Elm Street',
    houseNumber: '45',
    city: 'London',
    postcode: 'W8 4AA',
  },
  created_at: at,
  expires_at: new Date('2026-03-01T14:34:00Z'),
  is_briefly_reserved: false,
  payment: {
    address: ADDRESS,
    amount_btc: sats(2_106_500n),
    received_btc: sats(2_106_500n),
    confirmed_btc: sats(2_106_500n),
    returned_btc: NO_SATS,
    confirmations: 2,
    required_confirmations: 2,
    state: 'paid',
    seen_in_time: true,
    short_btc: NO_SATS,
    day_fee_rate: null,
    loss: null,
    bip21: null,
    chain: 'up',
    transactions: [
      {
        txid: TXID,
        vout: 0,
        amount_btc: sats(2_106_500n),
        confirmations: 2,
        immature_blocks: 0,
        first_seen: at,
        fee_rate: null,
        is_fee_low: false,
        is_credit: false,
      },
    ],
  },
};
export const orderMailInput: OrderMailData = {
  username: 'ada',
  order,
  rate: centsPerBtc(11_100_000n),
  late: { because: null, missingSats: NO_SATS },
  requoteRefusal: null,
  trackingReference: null,
  shipment: null,
  event: {
    at,
    dueSats: sats(2_106_500n),
    receivedSats: NO_SATS,
    beforeSats: NO_SATS,
    surplusSats: NO_SATS,
    words: '',
  },
  shopUrl: 'https://shop.example',
  payUrl: 'https://shop.example/pay/token',
  orderUrl: `https://shop.example/dashboard/orders/${ID}`,
};

export const parcel = {
  number: 1,
  shipped_at: new Date('2026-03-02T08:05:00Z'),
  carrier: 'DHL',
  tracking_number: 'AB1',
  tracking_url: 'https://carrier.example/AB1',
  items: [{ position: 0, name: 'iPhone 17', quantity: 2, serials: [] }],
};

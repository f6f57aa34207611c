/** Orders with staff tasks, created over HTTP. */
import { createOrder } from './new-order.ts';
import type { NewOrder } from './new-order.ts';
import { listAt, textAt } from './read-json.ts';
import type { TestShop } from './shop.ts';
import { waitUntil } from './wait-until.ts';

/** A regtest address without an owner. */
const REFUND_ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const SURPLUS_BTC = 0.001;

export async function getStaffToken(shop: TestShop): Promise<string> {
  const body = { username: 'staff', password: 'crypto-market' };
  return textAt((await shop.api('POST', '/users/login', { body })).body, 'tokens', 'accessToken');
}

const roundBtc = (btc: number): number => Math.round(btc * 1e8) / 1e8;

export async function payInBlocks(shop: TestShop, { id, due }: NewOrder, moreBtc: number): Promise<void> {
  await shop.api('POST', '/dev/pay', { body: { order_id: id, amount_btc: roundBtc(due + moreBtc) } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 3 } });
}

/** Overpaid, with a confirmed refund address. */
export async function createOverpaidOrder(shop: TestShop, username: string): Promise<NewOrder> {
  const order = await createOrder(shop, username);
  await confirmRefundAddress(shop, order);
  await payInBlocks(shop, order, SURPLUS_BTC);
  return order;
}

/** Confirms a refund address by the link in the mail. */
async function confirmRefundAddress(shop: TestShop, { id, token, email }: NewOrder): Promise<void> {
  await shop.api('PUT', `/orders/${id}/refund-address`, { token, body: { address: REFUND_ADDRESS } });
  const findLink = async (): Promise<string | undefined> => {
    const mails = listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body);
    const texts = mails.map((mail) => textAt(mail, 'text')).join('\n');
    return /confirm-refund-address\/([A-Za-z0-9_-]{43})/.exec(texts)?.[1];
  };
  await waitUntil(async () => (await findLink()) !== undefined);
  await shop.api('POST', '/refund-addresses/confirm', { body: { token: await findLink() } });
}

/**
 * Invariants of a shop after a stress test: nothing lost or duplicated, accounting export and
 * chain agree.
 */
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import { formatLines } from './stress-buyer.ts';
import type { Acknowledged, StressBuyer } from './stress-buyer.ts';
import type { StressCalls } from './stress-calls.ts';

export interface Audit {
  readonly lost: number;
  readonly doubled: number;
  readonly orders: number;
  readonly paid: number;
  readonly satsOnChain: number;
  /** Sold quantity per product in orders that were ever paid. */
  readonly sold: ReadonlyMap<string, number>;
}

const SATS = 100_000_000;
const toSats = (btc: number): number => Math.round(btc * SATS);

export async function auditStress(calls: StressCalls, buyers: readonly StressBuyer[]): Promise<Audit> {
  const tip = Number(await calls.readChain('/blocks/tip/height'));
  const auditor = new Auditor(calls, tip);
  for (const buyer of buyers) await auditor.auditCustomer(buyer);
  for (const { txid, spends } of buyers.flatMap(({ payments }) => payments)) await auditor.auditPayment(txid, spends);
  return auditor.result;
}

interface Output {
  readonly outpoint: string;
  readonly sats: number;
  /** 0 in the mempool. */
  readonly confirmations: number;
}

class Auditor {
  readonly result = { lost: 0, doubled: 0, orders: 0, paid: 0, satsOnChain: 0, sold: new Map<string, number>() };
  readonly #calls: StressCalls;
  readonly #tip: number;
  readonly #orderByAddress = new Map<string, string>();
  readonly #numbers = new Set<string>();

  constructor(calls: StressCalls, tip: number) {
    this.#calls = calls;
    this.#tip = tip;
  }

  async auditCustomer(buyer: StressBuyer): Promise<void> {
    const reportWrong = (finding: string): void => this.#calls.report(`audit of ${buyer.name}: ${finding}`);
    const history = await buyer.readHistory();
    const byId = new Map(history.map((order) => [textAt(order, 'id'), order]));
    if (byId.size < history.length) {
      this.result.doubled += history.length - byId.size;
      reportWrong('an order is in the history twice');
    }
    for (const known of buyer.orders) {
      const order = byId.get(known.id);
      byId.delete(known.id);
      if (order === undefined) {
        this.result.lost += 1;
        reportWrong(`the acknowledged order ${known.number} is missing`);
        continue;
      }
      const again = buyer.acknowledge(known.key, await buyer.repeatCheckout(known.key));
      if (!isSame(again, known))
        reportWrong(`the key ${known.key} returns another order: ${JSON.stringify([known, again])}`);
      await this.#auditOrder(order, known, reportWrong);
    }
    for (const order of byId.values()) {
      this.result.doubled += 1;
      reportWrong(`order ${textAt(order, 'number')} was not requested`);
    }
    const [cart, expected] = [formatLines(await buyer.readCart()), formatLines(buyer.cart)];
    if (cart !== expected) reportWrong(`the cart contains ${cart}, expected ${expected}`);
  }

  async #auditOrder(order: unknown, known: Acknowledged, reportWrong: (finding: string) => void): Promise<void> {
    const readAmount = (...keys: string[]): number => toSats(numberAt(order, 'payment', ...keys));
    const [status, state] = [textAt(order, 'payment_status'), textAt(order, 'payment', 'state')];
    const address = textAt(order, 'payment', 'address');
    this.result.orders += 1;
    const other = this.#orderByAddress.get(address);
    if (other !== undefined || this.#numbers.has(known.number)) {
      this.result.doubled += 1;
      reportWrong(`orders ${other} and ${known.number} share an address or a number`);
    }
    this.#orderByAddress.set(address, known.number);
    this.#numbers.add(known.number);
    if (address !== known.address) reportWrong(`order ${known.number} changed its address`);

    const outputs = await this.#listOutputs(address);
    const sumAmounts = (deep: number): number =>
      outputs.filter(({ confirmations }) => confirmations >= deep).reduce((sum, { sats }) => sum + sats, 0);
    const [received, confirmed, due] = [sumAmounts(0), sumAmounts(1), readAmount('amount_btc')];
    this.result.satsOnChain += received;
    if (readAmount('received_btc') !== received)
      reportWrong(`${known.number}: received ${readAmount('received_btc')}, on chain ${received}`);
    if (readAmount('confirmed_btc') !== confirmed)
      reportWrong(`${known.number}: ${readAmount('confirmed_btc')} confirmed, not ${confirmed}`);
    const booked = listAt(order, 'payment', 'transactions').map(
      (one) => `${textAt(one, 'txid')}:${numberAt(one, 'vout')} ${toSats(numberAt(one, 'amount_btc'))}`,
    );
    const onChain = outputs.map(({ outpoint, sats }) => `${outpoint} ${sats}`);
    if (booked.toSorted().join() !== onChain.toSorted().join()) {
      reportWrong(`${known.number}: its ledger has ${booked.join()} and the chain ${onChain.join()}`);
    }
    const deep = sumAmounts(numberAt(order, 'payment', 'required_confirmations'));
    const isPaid = status === 'paid';
    if (isPaid !== deep >= due)
      reportWrong(`${known.number} is ${status} with ${deep} of ${due} sats sufficiently confirmed`);
    const expected = listExpectedStates({ isPaid, received, due, deep });
    if (!expected.includes(state)) reportWrong(`${known.number} is ${state}, not ${expected.join(' or ')}`);

    if (!isPaid && state !== 'reorged_out') return;
    this.result.paid += 1;
    for (const [product, quantity] of known.lines) {
      this.result.sold.set(product, (this.result.sold.get(product) ?? 0) + quantity);
    }
  }

  async #listOutputs(address: string): Promise<Output[]> {
    return listAt(await this.#calls.readChain(`/address/${address}/utxo`)).map((output) => {
      const isConfirmed = valueAt(output, 'status', 'confirmed') === true;
      return {
        outpoint: `${textAt(output, 'txid')}:${numberAt(output, 'vout')}`,
        sats: numberAt(output, 'value'),
        confirmations: isConfirmed ? this.#tip - numberAt(output, 'status', 'block_height') + 1 : 0,
      };
    });
  }

  /** Checks that an acknowledged payment is on the chain or was double-spent. */
  async auditPayment(txid: string, spends: readonly { readonly txid: string; readonly vout: number }[]): Promise<void> {
    if ((await this.#calls.readChain(`/tx/${txid}`)) !== null) return;
    for (const { txid: parent, vout } of spends) {
      if ((await this.#calls.readChain(`/tx/${parent}`)) === null) return;
      const spent = await this.#calls.readChain(`/tx/${parent}/outspend/${vout}`);
      if (valueAt(spent, 'spent') === true) return;
    }
    this.result.lost += 1;
    this.#calls.report(`the acknowledged payment ${txid} is missing, and no other transaction replaced it`);
  }
}

const isSame = (a: Acknowledged, b: Acknowledged): boolean =>
  a.id === b.id &&
  a.number === b.number &&
  a.address === b.address &&
  a.totalBtc === b.totalBtc &&
  formatLines(a.lines) === formatLines(b.lines);

interface Sums {
  readonly isPaid: boolean;
  readonly received: number;
  readonly due: number;
  readonly deep: number;
}

/** Within the window; which of the last four depends on the previous state. */
function listExpectedStates({ isPaid, received, due, deep }: Sums): readonly string[] {
  if (isPaid) return [deep > due ? 'overpaid' : 'paid'];
  if (received >= due) return ['seen', 'confirming', 'reorged_out'];
  return received > 0 ? ['underpaid', 'reorged_out'] : ['awaiting', 'replaced', 'dropped', 'reorged_out'];
}

/** Sold quantity by product, from the catalogue. */
export async function readSoldUnits(calls: StressCalls): Promise<Map<string, number>> {
  const { body } = await calls.callUntilResponse('GET', '/products?limit=500');
  return new Map(listAt(body).map((product) => [textAt(product, 'id'), numberAt(product, 'sold_units')]));
}

/** Each order that was ever paid has sold its stock once. */
export function compareSoldUnits(
  calls: StressCalls,
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  sold: ReadonlyMap<string, number>,
): void {
  for (const [product, units] of after) {
    const expected = (before.get(product) ?? 0) + (sold.get(product) ?? 0);
    if (units !== expected)
      calls.report(`product ${product} has sold ${units} units, expected ${expected} from its paid orders`);
  }
}

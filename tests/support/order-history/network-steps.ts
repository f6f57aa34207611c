/** External steps of the simulated order: payments, blocks, reorganisations, outages, the rate. */
import { PRICES, RATES, SCRIPT } from './order-record.ts';
import type { OrderSimulation } from './order-simulation.ts';
import type { Outputs, SimulatedTransaction } from '../simulated-chain.ts';

const pick = <Item>(list: readonly Item[], index: number): Item | undefined => list[index % list.length];

interface Numbers {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const to = (...amounts: readonly bigint[]): Outputs => amounts.map((amount) => ({ script: SCRIPT, amount }));

/** The missing amount that the page shows. */
const computeMissingSats = ({ order, receivedSats }: OrderSimulation): bigint => {
  const missing = order.due_sats - receivedSats;
  return missing > 0n ? missing : order.due_sats;
};

function choosePayments(shop: OrderSimulation, b: number): Outputs {
  const due = computeMissingSats(shop);
  const choices: readonly Outputs[] = [
    to(due),
    to(due),
    to(due),
    to(due / 2n),
    to(due + 77_700n),
    to(due + 200n),
    to(due - 1500n),
    to(due - 1n),
    to(due / 3n, due - due / 3n),
    to((due * 13n) / 10n),
    to(due + 400n),
  ];
  return (pick(choices, b) ?? to(due)).map((one) => ({ ...one, amount: one.amount > 0n ? one.amount : 1000n }));
}

const isOurs =
  (shop: OrderSimulation) =>
  ({ outputs }: SimulatedTransaction): boolean =>
    outputs.some(({ script }) => script === SCRIPT || shop.refunds.scripts.includes(script));

const hasEnoughFee =
  (shop: OrderSimulation) =>
  ({ txid }: SimulatedTransaction): boolean =>
    !shop.lowFees.has(txid);

/** Reorganises to a branch longer by one block, in which some payments are double-spent. */
function reorganise(shop: OrderSimulation, depth: number, { b, c }: Numbers): void {
  const { chain } = shop;
  const removed = chain.unwind(depth).filter(isOurs(shop));
  const victim = pick(removed, b);
  const conflict = victim !== undefined && c % 2 === 0 ? [chain.make([], victim.inputs)] : [];
  for (let block = 0; block <= depth; block += 1)
    chain.mine(() => c % 3 > 0 || block === depth, block === 0 ? conflict : [], chain.now);
  shop.count('reorganisation');
}

/** Double-spends a payment or its parent. */
function doubleSpend(shop: OrderSimulation, { a, b, c }: Numbers): void {
  const { chain } = shop;
  const paying = chain.all.filter((one) => chain.isActive(one.txid) && isOurs(shop)(one) && !one.isCoinbase);
  const victim = pick(paying, a);
  if (victim === undefined) return;
  const height = chain.findHeight(victim.txid);
  const parent = chain.listAncestors(victim.txid).find((txid) => chain.mempool.has(txid));
  const inputs = chain.all.find(({ txid }) => txid === (b % 2 === 0 ? parent : victim.txid))?.inputs ?? victim.inputs;
  if (height !== null) {
    const depth = chain.height - height + 1;
    chain.unwind(depth);
    for (let block = 0; block <= depth; block += 1)
      chain.mine(hasEnoughFee(shop), block === 0 ? [chain.make([], inputs)] : [], chain.now);
    shop.count('double-spend of a confirmed payment');
    return;
  }
  for (let block = 0; block <= c % 4; block += 1)
    chain.mine(hasEnoughFee(shop), block === 0 ? [chain.make([], inputs)] : [], chain.now);
  shop.count('double-spend of an unconfirmed payment');
}

export const networkSteps = {
  pay: (shop, { b }) => void shop.chain.send(choosePayments(shop, b)),
  payInFull: (shop) => void shop.chain.send(to(computeMissingSats(shop))),
  payDeep: (shop, { b }) => {
    shop.chain.send(choosePayments(shop, b));
    for (let block = 0; block < 3; block += 1) shop.chain.mine(hasEnoughFee(shop), [], shop.chain.now);
  },
  payWithParent: (shop, { b }) => void shop.chain.sendWithParent(choosePayments(shop, b)),
  payLowFee: (shop, { b }) => void shop.lowFees.add(shop.chain.send(choosePayments(shop, b)).txid),
  payDust: (shop, { b }) => void shop.chain.send(to(BigInt(b % 293))),
  payByMiner: (shop, { b }) => {
    const reward = shop.chain.make(choosePayments(shop, b), [`reward-${shop.chain.all.length}:0`], true);
    shop.chain.mine(hasEnoughFee(shop), [reward], shop.chain.now);
  },
  mine: (shop, { a }) => {
    for (let block = 0; block <= a % 4; block += 1) shop.chain.mine(hasEnoughFee(shop), [], shop.chain.now);
  },
  mineAll: (shop, { a }) => {
    for (let block = 0; block <= a % 4; block += 1) shop.chain.mine(() => true, [], shop.chain.now);
  },
  replace: (shop, { a, b }) => {
    const victim = pick([...shop.chain.mempool.values()].filter(isOurs(shop)), a);
    if (victim !== undefined) shop.chain.replace(victim.txid, b % 3 === 0 ? choosePayments(shop, b) : []);
  },
  drop: (shop, { a }) => {
    const victim = pick([...shop.chain.mempool.values()].filter(isOurs(shop)), a);
    if (victim !== undefined) shop.chain.drop(victim.txid);
  },
  restore: (shop, { a }) => {
    const dropped = shop.chain.all.filter((one) => !one.isCoinbase && !shop.chain.isActive(one.txid));
    const back = pick(dropped, a);
    const isUnsentRefund = shop.refunds.list.some(({ plannedTxid }) => plannedTxid === back?.txid);
    if (back !== undefined && !isUnsentRefund) shop.chain.restore(back.txid);
  },
  doubleSpend,
  reorganise: (shop, numbers) => reorganise(shop, 1 + (numbers.a % 7), numbers),
  minutes: (shop, { a }) => void (shop.chain.now += (1 + (a % 90)) * 60_000),
  window: (shop) => void (shop.chain.now += 7_300_000),
  days: (shop, { a }) => void (shop.chain.now += [90_000_000, 4 * 86_400_000, 31 * 86_400_000][a % 3] ?? 0),
  rate: (shop, { a }) => void (shop.rate = a % 7 === 6 ? null : (pick(RATES, a) ?? null)),
  reprice: (shop, { a }) => void (shop.priceCents = pick(PRICES, a) ?? shop.priceCents),
  withdraw: (shop) => void (shop.isOnSale = false),
  publish: (shop) => void (shop.isOnSale = true),
  soldOut: (shop) => void (shop.stock = 0),
  restock: (shop) => void (shop.stock += 1),
  shopDown: (shop) => {
    shop.isShopUp = false;
    shop.count('shop down');
  },
  shopUp: (shop) => void (shop.isShopUp = true),
  sourceDown: (shop) => {
    shop.isSourceUp = false;
    shop.count('source down');
  },
  sourceUp: (shop, { a }) => {
    shop.isSourceUp = true;
    // A restarted node reports the time at which it loaded its mempool.
    shop.knowsArrival = a % 2 === 0;
  },
  holdMails: (shop) => void (shop.mails.isHeld = true),
  sendMails: (shop) => void (shop.mails.isHeld = false),
} as const satisfies Readonly<Record<string, (shop: OrderSimulation, numbers: Numbers) => void>>;

export type NetworkStep = keyof typeof networkSteps;
export const networkStepNames = Object.keys(networkSteps).filter((name): name is NetworkStep => name in networkSteps);

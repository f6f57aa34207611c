/** Network steps of a random history: the numbers a, b and c select a possible step. */
import type { ChainOracle } from './chain-oracle.ts';
import type { Outputs, SimulatedChain } from './simulated-chain.ts';

export const NETWORK_KINDS = [
  'pay',
  'payTwo',
  'payWithParent',
  'payInBlock',
  'topUp',
  'payDeep',
  'payRefund',
  'coinbase',
  'replace',
  'replaceParent',
  'drop',
  'restore',
  'mine',
  'mineConflict',
  'reorganise',
  'reorganiseDeep',
  'time',
  'mature',
] as const;
export type NetworkKind = (typeof NETWORK_KINDS)[number];

interface Situation {
  readonly chain: SimulatedChain;
  readonly oracle: ChainOracle;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];
const isNever = (): boolean => false;
const isAlways = (): boolean => true;

/** Usually the exact amount; otherwise less, more, dust, parts, or with a foreign output. */
function createPayment({ oracle }: Situation, a: number, b: number): Outputs {
  const order = pick(oracle.orders, a);
  if (order === undefined) return [];
  const { script, due_sats: due } = order;
  const createOutputs = (...amounts: bigint[]): Outputs => amounts.map((amount) => ({ script, amount }));
  const rare: readonly Outputs[] = [
    createOutputs(due - 1n),
    createOutputs(due / 2n),
    createOutputs(due + 777n),
    createOutputs(1n),
    createOutputs(due / 3n, due - due / 3n),
    [{ script: 'stranger', amount: 5n }, ...createOutputs(due, 546n)],
  ];
  return rare[b % 14] ?? createOutputs(due);
}

const computeBlockTime = ({ chain, c }: Situation): number => chain.now + ((c % 5) - 2) * 600_000;
const pickVictim = ({ chain, a }: Situation): string | undefined => pick([...chain.mempool.keys()], a);

/** Reorganises to a branch longer by one, with the payments immediately, later or not at all. */
function reorganise(at: Situation, depth: number): void {
  const { chain, b, c } = at;
  const removed = pick(chain.unwind(depth), b);
  const conflict = removed !== undefined && b % 3 === 0 ? [chain.make([], removed.inputs)] : [];
  for (let block = 0; block <= depth; block += 1) {
    chain.mine(
      () => c % 3 === 0 || (c % 3 === 1 && block === depth),
      block === 0 ? conflict : [],
      computeBlockTime(at),
    );
  }
}

const changes: Readonly<Record<NetworkKind, (situation: Situation) => void>> = {
  pay: (at) => void at.chain.send(createPayment(at, at.a, at.b)),
  payTwo: (at) => void at.chain.send([...createPayment(at, at.a, at.b), ...createPayment(at, at.a + 1, at.b + at.c)]),
  payWithParent: (at) => void at.chain.sendWithParent(createPayment(at, at.a, at.b)),
  payInBlock: (at) =>
    at.chain.mine(() => at.b % 2 === 0, [at.chain.make(createPayment(at, at.a, at.b))], computeBlockTime(at)),
  topUp: ({ chain, oracle, a }) => {
    const missing = oracle.computeMissing(a);
    if (missing !== null) chain.send([missing]);
  },
  payDeep: (at) => {
    const order = pick(at.oracle.orders, at.a);
    if (order === undefined) return;
    at.chain.send([{ script: order.script, amount: order.due_sats }]);
    for (let block = 0; block <= at.b % 6; block += 1) at.chain.mine(isAlways, [], computeBlockTime(at));
  },
  payRefund: (at) => {
    const refund = pick(at.oracle.refunds, at.a);
    const amount = pick(refund?.amounts ?? [], at.c);
    if (refund === undefined || amount === undefined) return;
    const { script } = refund;
    const others: readonly Outputs[] = [[{ script, amount: amount + 1n }], createPayment(at, at.a, at.c)];
    at.chain.send([...(others[at.b % 4] ?? []), { script, amount: amount }]);
  },
  coinbase: (at) => {
    const reward = at.chain.make(createPayment(at, at.a, at.b), [`reward-${at.chain.all.length}:0`], true);
    at.chain.mine(isAlways, [reward], computeBlockTime(at));
  },
  replace: (at) => {
    const victim = pickVictim(at);
    if (victim !== undefined) at.chain.replace(victim, at.b % 3 === 0 ? createPayment(at, at.a, at.c) : []);
  },
  replaceParent: (at) => {
    const victim = pickVictim(at);
    if (victim === undefined) return;
    const parent = at.chain.listAncestors(victim).find((txid) => at.chain.mempool.has(txid));
    if (parent !== undefined) at.chain.replace(parent, []);
  },
  drop: (at) => {
    const victim = pickVictim(at);
    if (victim !== undefined) at.chain.drop(victim);
  },
  restore: ({ chain, a }) => {
    const dropped = chain.all.filter(({ txid, isCoinbase }) => !isCoinbase && !chain.isActive(txid));
    const back = pick(dropped, a);
    if (back !== undefined) chain.restore(back.txid);
  },
  mine: (at) => {
    for (let block = 0; block <= at.b % 4; block += 1) {
      at.chain.mine(() => at.c % 4 > 0 || block > 0, [], computeBlockTime(at));
    }
  },
  mineConflict: (at) => {
    const rival = at.chain.mempool.get(pickVictim(at) ?? '');
    at.chain.mine(isNever, rival === undefined ? [] : [at.chain.make([], rival.inputs)], computeBlockTime(at));
  },
  reorganise: (at) => reorganise(at, 1 + (at.a % 6)),
  reorganiseDeep: (at) => reorganise(at, 4 + (at.a % 5)),
  time: ({ chain, b }) => {
    chain.now += [1000, 600_000, 3600_000, 7200_000][b % 4] ?? 0;
  },
  mature: (at) => {
    const { chain, a } = at;
    // Mines a hundred blocks only rarely and for an immature coinbase, since it is slow.
    if (a % 8 > 0 || !chain.all.some(({ txid, isCoinbase }) => isCoinbase && chain.isActive(txid))) return;
    for (let block = 0; block < 100; block += 1) chain.mine(isAlways, [], computeBlockTime(at));
  },
};

export function changeChain(kind: NetworkKind, situation: Situation): void {
  changes[kind](situation);
}

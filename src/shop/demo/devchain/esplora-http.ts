import type { FastifyInstance, FastifyReply } from 'fastify';
import { HEADER_BYTES } from '#src/platform/bitcoin/block-header.ts';
import type { ChainState, IndexedTransaction } from './chain-state.ts';
import type { Devchain } from './devchain.ts';
import { blockJson, outspendJson, scriptHexOfAddress, statsJson, statusJson, transactionJson } from './esplora-json.ts';
import { DEVCHAIN_FEE_RATE } from './regtest-rules.ts';
import type { StoredBlock } from './stored-block.ts';

const PAGE_CONFIRMED = 25;
const PAGE_MEMPOOL = 50;
const MAX_BODY_BYTES = 1_000_000;
const FEE_TARGETS = [1, 2, 3, 4, 5, 6, 10, 20, 25, 144, 504, 1008];

/** An error response. Esplora sends plain text. */
class Refusal {
  readonly status: 400 | 404;
  readonly message: string;

  constructor(status: 400 | 404, message: string) {
    this.status = status;
    this.message = message;
  }
}

const NO_BLOCK = new Refusal(404, 'Block not found');
const NO_TRANSACTION = new Refusal(404, 'Transaction not found');
const BAD_HASH = new Refusal(400, 'Invalid hex string');
const BAD_NUMBER = new Refusal(400, 'Invalid integer');

type Params = Readonly<Record<string, string>>;
type Answer = Refusal | string | Buffer | object;

function isHash(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/i.test(text);
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function withBlock(state: ChainState, { hash }: Params, answer: (block: StoredBlock) => Answer): Answer {
  if (!isHash(hash)) return BAD_HASH;
  const block = state.blockByHash(hash.toLowerCase());
  return block === undefined ? NO_BLOCK : answer(block);
}

function withTransaction(state: ChainState, { txid }: Params, answer: (entry: IndexedTransaction) => Answer): Answer {
  if (!isHash(txid)) return BAD_HASH;
  const entry = state.transaction(txid.toLowerCase());
  return entry === undefined ? NO_TRANSACTION : answer(entry);
}

interface AddressHistory {
  readonly address: string;
  readonly scriptHex: string;
  /** Newest first. */
  readonly confirmed: readonly IndexedTransaction[];
  readonly waiting: readonly IndexedTransaction[];
}

function withAddress(state: ChainState, { address = '' }: Params, answer: (found: AddressHistory) => Answer): Answer {
  const scriptHex = scriptHexOfAddress(address);
  if (scriptHex === null) return new Refusal(400, 'Invalid Bitcoin address');
  const history = state.history(scriptHex).toReversed();
  const confirmed = history.filter(({ block }) => block !== null);
  const waiting = history.filter(({ block }) => block === null);
  return answer({ address, scriptHex, confirmed, waiting });
}

function confirmedAfter(
  confirmed: readonly IndexedTransaction[],
  last: string | undefined,
): readonly IndexedTransaction[] {
  const start = last === undefined ? 0 : confirmed.findIndex(({ transaction }) => transaction.txid === last) + 1;
  if (last !== undefined && start === 0) return [];
  return confirmed.slice(start, start + PAGE_CONFIRMED);
}

const readers: Readonly<Record<string, (state: ChainState, params: Params) => Answer>> = {
  '/blocks/tip/height': (state) => String(state.tip.height),
  '/blocks/tip/hash': (state) => state.tip.hash,
  '/block-height/:height': (state, { height }) => {
    const at = numberOf(height);
    return at === null ? BAD_NUMBER : (state.blockAt(at)?.hash ?? NO_BLOCK);
  },
  '/block/:hash': (state, params) => withBlock(state, params, (block) => blockJson(state, block)),
  '/block/:hash/status': (state, { hash }) => {
    if (!isHash(hash)) return BAD_HASH;
    const block = state.blockByHash(hash.toLowerCase());
    if (block === undefined) return { in_best_chain: false };
    const next = state.blockAt(block.height + 1);
    return { in_best_chain: true, height: block.height, ...(next === undefined ? {} : { next_best: next.hash }) };
  },
  '/block/:hash/header': (state, params) => withBlock(state, params, ({ raw }) => raw.toString('hex', 0, HEADER_BYTES)),
  '/block/:hash/txids': (state, params) =>
    withBlock(state, params, ({ transactions }) => transactions.map(({ txid }) => txid)),
  '/block/:hash/raw': (state, params) => withBlock(state, params, ({ raw }) => raw),
  '/tx/:txid': (state, params) => withTransaction(state, params, (entry) => transactionJson(state, entry)),
  // Like Esplora: an unknown transaction is unconfirmed.
  '/tx/:txid/status': (state, { txid }) =>
    isHash(txid) ? statusJson(state.transaction(txid.toLowerCase())?.block) : BAD_HASH,
  '/tx/:txid/hex': (state, params) =>
    withTransaction(state, params, ({ transaction }) => transaction.raw.toString('hex')),
  '/tx/:txid/raw': (state, params) => withTransaction(state, params, ({ transaction }) => transaction.raw),
  '/tx/:txid/outspend/:vout': (state, { txid, vout }) => {
    const index = numberOf(vout);
    if (!isHash(txid)) return BAD_HASH;
    return index === null ? BAD_NUMBER : outspendJson(state, { txid: txid.toLowerCase(), vout: index });
  },
  '/tx/:txid/outspends': (state, params) =>
    withTransaction(state, params, ({ transaction: { txid, outputs } }) =>
      outputs.map((_, vout) => outspendJson(state, { txid, vout })),
    ),
  '/address/:address': (state, params) =>
    withAddress(state, params, ({ address, scriptHex, confirmed, waiting }) => ({
      address,
      chain_stats: statsJson(state, scriptHex, confirmed),
      mempool_stats: statsJson(state, scriptHex, waiting),
    })),
  '/address/:address/txs': (state, params) =>
    withAddress(state, params, ({ confirmed, waiting }) =>
      [...waiting.slice(0, PAGE_MEMPOOL), ...confirmed.slice(0, PAGE_CONFIRMED)].map((entry) =>
        transactionJson(state, entry),
      ),
    ),
  '/address/:address/txs/chain': (state, params) =>
    withAddress(state, params, ({ confirmed }) =>
      confirmedAfter(confirmed, undefined).map((entry) => transactionJson(state, entry)),
    ),
  '/address/:address/txs/chain/:last': (state, params) =>
    withAddress(state, params, ({ confirmed }) =>
      confirmedAfter(confirmed, params['last']).map((entry) => transactionJson(state, entry)),
    ),
  '/address/:address/txs/mempool': (state, params) =>
    withAddress(state, params, ({ waiting }) =>
      waiting.slice(0, PAGE_MEMPOOL).map((entry) => transactionJson(state, entry)),
    ),
  '/address/:address/utxo': (state, params) =>
    withAddress(state, params, ({ scriptHex }) =>
      state.unspent(scriptHex).map(({ txid, vout, amountSats, block }) => ({
        txid,
        vout,
        status: statusJson(block),
        value: Number(amountSats),
      })),
    ),
  '/mempool/txids': (state) => [...state.mempool.keys()],
  '/fee-estimates': () => Object.fromEntries(FEE_TARGETS.map((target) => [target, DEVCHAIN_FEE_RATE])),
};

async function send(reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  if (answer instanceof Refusal) return reply.code(answer.status).type('text/plain').send(answer.message);
  if (typeof answer === 'string') return reply.type('text/plain').send(answer);
  if (Buffer.isBuffer(answer)) return reply.type('application/octet-stream').send(answer);
  return reply.send(answer);
}

/** Registers an Esplora-compatible HTTP API of the devchain below `prefix`. */
export function registerEsplora(fastify: FastifyInstance, devchain: Devchain, prefix: string): void {
  fastify.register(
    (scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (_request, body, parsed) => {
        parsed(null, body);
      });
      for (const [path, read] of Object.entries(readers)) {
        scope.get<{ Params: Params }>(path, async (request, reply) => {
          await devchain.ready();
          return send(reply, read(devchain.state, request.params));
        });
      }
      scope.post('/tx', async (request, reply) => {
        const text = typeof request.body === 'string' ? request.body.trim() : '';
        if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return send(reply, new Refusal(400, 'Invalid hex string'));
        const sent = await devchain.submit(Buffer.from(text, 'hex'));
        if (sent.ok) return send(reply, sent.txid);
        const error = JSON.stringify({ code: errorCode(sent.reason), message: sent.reason });
        return send(reply, new Refusal(400, `sendrawtransaction RPC error: ${error}`));
      });
      done();
    },
    { prefix },
  );
}

/** Error codes of Bitcoin Core's sendrawtransaction (rpc/protocol.h). */
function errorCode(reason: string): number {
  if (reason.startsWith('TX decode failed')) return -22;
  if (reason === 'bad-txns-inputs-missingorspent') return -25;
  return reason === 'Transaction outputs already in utxo set' ? -27 : -26;
}

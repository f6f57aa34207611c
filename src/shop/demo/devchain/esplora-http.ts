import type { FastifyInstance, FastifyReply } from 'fastify';
import { HEADER_BYTES } from '#src/platform/bitcoin/block-header.ts';
import type { ChainState, IndexedTransaction } from './chain-state.ts';
import type { Devchain } from './devchain.ts';
import {
  toBlockJson,
  outspendJson,
  decodeAddress,
  toStatsJson,
  toStatusJson,
  toTransactionJson,
} from './esplora-json.ts';
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
type EsploraResponse = Refusal | string | Buffer | object;

function isHash(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/i.test(text);
}

function parseNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function respondWithBlock(
  state: ChainState,
  { hash }: Params,
  respond: (block: StoredBlock) => EsploraResponse,
): EsploraResponse {
  if (!isHash(hash)) return BAD_HASH;
  const block = state.findBlockByHash(hash.toLowerCase());
  return block === undefined ? NO_BLOCK : respond(block);
}

function respondWithTransaction(
  state: ChainState,
  { txid }: Params,
  respond: (entry: IndexedTransaction) => EsploraResponse,
): EsploraResponse {
  if (!isHash(txid)) return BAD_HASH;
  const entry = state.findTransaction(txid.toLowerCase());
  return entry === undefined ? NO_TRANSACTION : respond(entry);
}

interface AddressHistory {
  readonly address: string;
  readonly scriptHex: string;
  /** Newest first. */
  readonly confirmed: readonly IndexedTransaction[];
  readonly waiting: readonly IndexedTransaction[];
}

function respondWithAddress(
  state: ChainState,
  { address = '' }: Params,
  respond: (found: AddressHistory) => EsploraResponse,
): EsploraResponse {
  const scriptHex = decodeAddress(address);
  if (scriptHex === null) return new Refusal(400, 'Invalid Bitcoin address');
  const history = state.listHistory(scriptHex).toReversed();
  const confirmed = history.filter(({ block }) => block !== null);
  const waiting = history.filter(({ block }) => block === null);
  return respond({ address, scriptHex, confirmed, waiting });
}

function listConfirmedAfter(
  confirmed: readonly IndexedTransaction[],
  last: string | undefined,
): readonly IndexedTransaction[] {
  const start = last === undefined ? 0 : confirmed.findIndex(({ transaction }) => transaction.txid === last) + 1;
  if (last !== undefined && start === 0) return [];
  return confirmed.slice(start, start + PAGE_CONFIRMED);
}

const readers: Readonly<Record<string, (state: ChainState, params: Params) => EsploraResponse>> = {
  '/blocks/tip/height': (state) => String(state.tip.height),
  '/blocks/tip/hash': (state) => state.tip.hash,
  '/block-height/:height': (state, { height }) => {
    const at = parseNumber(height);
    return at === null ? BAD_NUMBER : (state.findBlockAt(at)?.hash ?? NO_BLOCK);
  },
  '/block/:hash': (state, params) => respondWithBlock(state, params, (block) => toBlockJson(state, block)),
  '/block/:hash/status': (state, { hash }) => {
    if (!isHash(hash)) return BAD_HASH;
    const block = state.findBlockByHash(hash.toLowerCase());
    if (block === undefined) return { in_best_chain: false };
    const next = state.findBlockAt(block.height + 1);
    return { in_best_chain: true, height: block.height, ...(next === undefined ? {} : { next_best: next.hash }) };
  },
  '/block/:hash/header': (state, params) =>
    respondWithBlock(state, params, ({ raw }) => raw.toString('hex', 0, HEADER_BYTES)),
  '/block/:hash/txids': (state, params) =>
    respondWithBlock(state, params, ({ transactions }) => transactions.map(({ txid }) => txid)),
  '/block/:hash/raw': (state, params) => respondWithBlock(state, params, ({ raw }) => raw),
  '/tx/:txid': (state, params) => respondWithTransaction(state, params, (entry) => toTransactionJson(state, entry)),
  // Like Esplora: an unknown transaction is unconfirmed.
  '/tx/:txid/status': (state, { txid }) =>
    isHash(txid) ? toStatusJson(state.findTransaction(txid.toLowerCase())?.block) : BAD_HASH,
  '/tx/:txid/hex': (state, params) =>
    respondWithTransaction(state, params, ({ transaction }) => transaction.raw.toString('hex')),
  '/tx/:txid/raw': (state, params) => respondWithTransaction(state, params, ({ transaction }) => transaction.raw),
  '/tx/:txid/outspend/:vout': (state, { txid, vout }) => {
    const index = parseNumber(vout);
    if (!isHash(txid)) return BAD_HASH;
    return index === null ? BAD_NUMBER : outspendJson(state, { txid: txid.toLowerCase(), vout: index });
  },
  '/tx/:txid/outspends': (state, params) =>
    respondWithTransaction(state, params, ({ transaction: { txid, outputs } }) =>
      outputs.map((_, vout) => outspendJson(state, { txid, vout })),
    ),
  '/address/:address': (state, params) =>
    respondWithAddress(state, params, ({ address, scriptHex, confirmed, waiting }) => ({
      address,
      chain_stats: toStatsJson(state, scriptHex, confirmed),
      mempool_stats: toStatsJson(state, scriptHex, waiting),
    })),
  '/address/:address/txs': (state, params) =>
    respondWithAddress(state, params, ({ confirmed, waiting }) =>
      [...waiting.slice(0, PAGE_MEMPOOL), ...confirmed.slice(0, PAGE_CONFIRMED)].map((entry) =>
        toTransactionJson(state, entry),
      ),
    ),
  '/address/:address/txs/chain': (state, params) =>
    respondWithAddress(state, params, ({ confirmed }) =>
      listConfirmedAfter(confirmed, undefined).map((entry) => toTransactionJson(state, entry)),
    ),
  '/address/:address/txs/chain/:last': (state, params) =>
    respondWithAddress(state, params, ({ confirmed }) =>
      listConfirmedAfter(confirmed, params['last']).map((entry) => toTransactionJson(state, entry)),
    ),
  '/address/:address/txs/mempool': (state, params) =>
    respondWithAddress(state, params, ({ waiting }) =>
      waiting.slice(0, PAGE_MEMPOOL).map((entry) => toTransactionJson(state, entry)),
    ),
  '/address/:address/utxo': (state, params) =>
    respondWithAddress(state, params, ({ scriptHex }) =>
      state.listUnspent(scriptHex).map(({ txid, vout, amountSats, block }) => ({
        txid,
        vout,
        status: toStatusJson(block),
        value: Number(amountSats),
      })),
    ),
  '/mempool/txids': (state) => [...state.mempool.keys()],
  '/fee-estimates': () => Object.fromEntries(FEE_TARGETS.map((target) => [target, DEVCHAIN_FEE_RATE])),
};

async function send(reply: FastifyReply, response: EsploraResponse): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  if (response instanceof Refusal) return reply.code(response.status).type('text/plain').send(response.message);
  if (typeof response === 'string') return reply.type('text/plain').send(response);
  if (Buffer.isBuffer(response)) return reply.type('application/octet-stream').send(response);
  return reply.send(response);
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
          await devchain.waitUntilReady();
          return send(reply, read(devchain.state, request.params));
        });
      }
      scope.post('/tx', async (request, reply) => {
        const text = typeof request.body === 'string' ? request.body.trim() : '';
        if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return send(reply, new Refusal(400, 'Invalid hex string'));
        const sent = await devchain.submit(Buffer.from(text, 'hex'));
        if (sent.ok) return send(reply, sent.txid);
        const error = JSON.stringify({ code: getErrorCode(sent.reason), message: sent.reason });
        return send(reply, new Refusal(400, `sendrawtransaction RPC error: ${error}`));
      });
      done();
    },
    { prefix },
  );
}

/** Error codes of Bitcoin Core's sendrawtransaction (rpc/protocol.h). */
function getErrorCode(reason: string): number {
  if (reason.startsWith('TX decode failed')) return -22;
  if (reason === 'bad-txns-inputs-missingorspent') return -25;
  return reason === 'Transaction outputs already in utxo set' ? -27 : -26;
}

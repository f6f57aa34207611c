import { Address, OutScript } from '@scure/btc-signer';
import { z } from 'zod';
import { ChainSourceError } from '../chain-source.ts';
import type { WaitingPayment } from '../chain-source.ts';
import type { BitcoinNetwork } from '../network.ts';
import { WHO } from './esplora-client.ts';
import type { EsploraClient } from './esplora-client.ts';

const txid = z.string().regex(/^[0-9a-f]{64}$/);
const transaction = z.object({
  txid,
  vin: z.array(z.object({ txid, vout: z.number().int().nonnegative() })),
  status: z.object({ confirmed: z.boolean() }),
});
type Transaction = z.output<typeof transaction>;
const outspend = z.object({ spent: z.boolean(), txid: txid.optional() });

/** A waiting transaction and the outpoints that it and its unconfirmed ancestors spend. */
interface Waiting {
  readonly stands: readonly { readonly txid: string; readonly vout: number }[];
  readonly ancestors: readonly string[];
}

/** Fits fifty transactions with all inputs. */
const MAX_PAGE_BYTES = 20_000_000;
/** Payments with more inputs are not checked for unconfirmed ancestors. */
const MAX_PARENTS = 10;
const MAX_ANCESTORS = 25;

/**
 * The mempool transactions of some addresses. Servers are load-balanced and return one page, so
 * unlisted transactions are requested singly, and the spenders of their outpoints if they are
 * missing.
 */
export class AddressMempool {
  readonly #client: Pick<EsploraClient, 'readJson'>;
  readonly #addresses: ReturnType<typeof Address>;
  /** Waiting transactions of the last call by address. */
  #known = new Map<string, ReadonlyMap<string, Waiting>>();

  constructor(client: Pick<EsploraClient, 'readJson'>, network: BitcoinNetwork) {
    this.#client = client;
    this.#addresses = Address(network.addresses);
  }

  /**
   * @param waiting payments seen before, perhaps by another process
   * @throws ChainSourceError if an address lookup fails
   */
  async listTxids(scripts: readonly Uint8Array[], waiting: readonly WaitingPayment[]): Promise<ReadonlySet<string>> {
    const before = new Set([...this.#known.values()].flatMap((known) => [...known.keys()]));
    const addresses = scripts.map((script) => this.#addresses.encode(OutScript.decode(script)));
    const found = new Set<string>();
    const known = await Promise.all(
      addresses.map(async (address) => [address, await this.#readAddress(address, found)] as const),
    );
    this.#known = new Map(known.filter(([, those]) => those.size > 0));
    for (const { txid: id, outpoints } of waiting) {
      if (before.has(id) || found.has(id)) continue;
      const stands = outpoints.map((outpoint) => ({ txid: outpoint.slice(0, 64), vout: Number(outpoint.slice(65)) }));
      if ((await this.#client.readJson(`/tx/${id}`, transaction, MAX_PAGE_BYTES)) === null)
        await this.#findSpenders(stands, found);
      else found.add(id);
    }
    return found;
  }

  async #readAddress(address: string, found: Set<string>): Promise<ReadonlyMap<string, Waiting>> {
    const page = await this.#client.readJson(`/address/${address}/txs/mempool`, z.array(transaction), MAX_PAGE_BYTES);
    if (page === null) throw new ChainSourceError(`${WHO} has no address index`);
    const before = this.#known.get(address) ?? new Map<string, Waiting>();
    const now = new Map<string, Waiting>();
    for (const one of page) {
      if (one.status.confirmed) continue;
      now.set(one.txid, before.get(one.txid) ?? (await this.#examine(one)));
    }
    for (const [id, waiting] of before) {
      if (now.has(id)) continue;
      const still = await this.#client.readJson(`/tx/${id}`, transaction);
      if (still === null) await this.#findSpenders(waiting.stands, found);
      else if (still.status.confirmed) found.add(id);
      else now.set(id, waiting);
    }
    for (const [id, { ancestors }] of now) for (const one of [id, ...ancestors]) found.add(one);
    return now;
  }

  /** Reads unconfirmed ancestors: replacing one invalidates the payment. */
  async #examine(one: Transaction): Promise<Waiting> {
    const stands = [...one.vin];
    const ancestors: string[] = [];
    const queue = [one];
    const seen = new Set<string>();
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (next.vin.length > MAX_PARENTS) continue;
      for (const { txid: parent } of next.vin) {
        if (seen.has(parent) || ancestors.length === MAX_ANCESTORS) continue;
        seen.add(parent);
        const read = await this.#client.readJson(`/tx/${parent}`, transaction, MAX_PAGE_BYTES);
        if (read === null || read.status.confirmed) continue;
        ancestors.push(parent);
        stands.push(...read.vin);
        queue.push(read);
      }
    }
    return { stands, ancestors };
  }

  async #findSpenders(stands: Waiting['stands'], found: Set<string>): Promise<void> {
    for (const { txid: parent, vout } of stands.slice(0, MAX_ANCESTORS)) {
      const spent = await this.#client.readJson(`/tx/${parent}/outspend/${vout}`, outspend);
      if (spent?.txid !== undefined) found.add(spent.txid);
    }
  }
}

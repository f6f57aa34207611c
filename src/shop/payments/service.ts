import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { scanBlock, scanTransaction } from '#src/platform/bitcoin/block.ts';
import type { OutputMatch } from '#src/platform/bitcoin/block.ts';
import { computeDustSats, decodeAddress } from '#src/platform/bitcoin/address.ts';
import { ChainSourceError } from '#src/platform/bitcoin/chain-source.ts';
import type { ChainSource, FoundTransaction, SourceLimitation } from '#src/platform/bitcoin/chain-source.ts';
import { MAX_FEE_RATE } from '#src/platform/bitcoin/select-coins.ts';
import { areCoinsEnough, listOutpoints, planPayout } from '#src/platform/bitcoin/payout.ts';
import type { Payout, PayoutRequest } from '#src/platform/bitcoin/payout.ts';
import { findSpends } from '#src/platform/bitcoin/find-spends.ts';
import type { BitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { scriptRules } from '#src/platform/bitcoin/wallet-script.ts';
import { parseTransaction } from '#src/platform/bitcoin/transaction.ts';
import type { Clock } from '#src/platform/process/clock.ts';
import type { Db } from '#src/platform/database/database.ts';
import type { Log } from '#src/platform/process/log.ts';
import * as addresses from './addresses/store.ts';
import type { ChainReader } from './chain-sync/block-source.ts';
import { ChainSync } from './chain-sync/chain-sync.ts';
import { AddressAllocator } from './addresses/address-allocator.ts';
import type { FoundOutput } from './ledger/ledger-store.ts';
import type { LedgerOutput } from './ledger/payment-state.ts';
import { computeSyncDelayMs } from './chain-sync/sync-delay.ts';
import * as payouts from './ledger/payouts.store.ts';
import { OwnAddresses } from './addresses/own-addresses.service.ts';
import type { LedgerCoin, LedgerRefundOutput } from './ledger/payouts.store.ts';
import { SourceMetadata } from './ledger/source-metadata.service.ts';
import { Rescans } from './chain-sync/rescan.service.ts';
import { describeLimitation } from './chain-sync/source-limitations.ts';
import * as store from './store.ts';

/** What the ledger holds of several orders, of one moment. */
export interface OrderLedgers {
  /** The newest block it knows; null before the first. */
  readonly tip: { readonly height: number } | null;
  /** By order: its address, and every output that ever paid it. */
  readonly ledgers: ReadonlyMap<string, { readonly address: string; readonly outputs: readonly LedgerOutput[] }>;
  /** Sats per 1,000 virtual bytes for a confirmation within a day; null while there is no recent estimate. */
  readonly dayFeePerKvb: bigint | null;
}

export interface ChainHealth {
  readonly isUp: boolean;
  readonly tipHeight: number | null;
  /** When the newest block was found, as its miner stated. */
  readonly tipAt: Date | null;
  /** When blocks and mempool were last both known to be current, by the shop's clock. */
  readonly reconciledAt: Date | null;
}

export interface PaymentsOptions {
  readonly db: Db;
  /** One connection of its own: who waits for an index holds another one, and may hold the last. */
  readonly indexDb: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: ChainSource;
  readonly accountKey: AccountKey;
  /** Ids of the orders that wait for a payment, and of the scripts that refunds on their way go to. */
  readonly waitingRecipients: () => Promise<readonly string[]>;
  /**
   * Settles what the ledger changed in, in the same transaction: orders by their ids, and refunds by those of the scripts that
   * they go to.
   */
  readonly onLedgerChanged: (tx: Db, recipientIds: readonly string[]) => Promise<void>;
  /** The ledger held at `at` all that the source had: what was due by then may expire. */
  readonly onReconciled: (at: Date) => Promise<void>;
}

/** A pass that ended well says that the chain is up for this long and for two more looks at it, in real time. */
const UP_FOR_MS = 30_000;
/** On the public networks a block comes every ten minutes; without one for so long a source has lost touch. */
const MAX_BLOCK_AGE_MS = 90 * 60_000;

/** The source's own settings are looked at so often. */
const LIMITATIONS_EVERY_MS = 10 * 60_000;

/**
 * So many outputs of the order, and as many of others, are asked about to find coins for a refund: all that one standard
 * transaction and a hardware wallet can bear.
 */
const MAX_COINS = 250;
const COINS_AT_ONCE = 8;

/** Addresses, the ledger of what paid them, and how it is kept equal to the chain. */
export class Payments {
  readonly #options: PaymentsOptions;
  readonly #chainSync: ChainSync<Db>;
  readonly #addressAllocator: AddressAllocator;
  readonly #ownAddresses: OwnAddresses;
  readonly #metadata: SourceMetadata;
  #upUntil = 0;
  #revisionSeen: number | null = null;
  #limitations: readonly SourceLimitation[] = [];
  #limitationsReadMs = -Infinity;
  /** Blocks that staff have read again. */
  readonly rescans: Rescans;

  constructor(options: PaymentsOptions) {
    this.#options = options;
    const { db, indexDb, source, clock, accountKey, waitingRecipients, onLedgerChanged, onReconciled } = options;
    this.#metadata = new SourceMetadata(options);
    this.#addressAllocator = new AddressAllocator((count) => addresses.takeIndexes(indexDb, accountKey.account, count));
    const [ledger, reader] = [store.createLedgerStore(db), createReader(accountKey.network)];
    this.rescans = new Rescans({ db, clock, log: options.log, source, ledger, reader, onChanged: onLedgerChanged });
    this.#ownAddresses = new OwnAddresses(db, accountKey);
    this.#chainSync = new ChainSync({
      source,
      clock,
      onReconciled,
      store: ledger,
      reader,
      network: accountKey.network,
      waitingRecipients,
      maxBlockAgeMs: accountKey.network.name === 'regtest' ? null : MAX_BLOCK_AGE_MS,
      readMempoolEntries: (txids) => this.#metadata.readMempoolEntries(txids),
      onChanged: (tx, recipientIds) => onLedgerChanged(tx, recipientIds),
    });
  }

  /**
   * Gives an order its own address, the next of the account, in the caller's transaction. It is watched for ever and never
   * given to another order; when the transaction is undone, its index is passed over.
   */
  async issueAddress(tx: Db, orderId: string): Promise<string> {
    const { accountKey, clock } = this.#options;
    const index = await this.#addressAllocator.next();
    const { address, script } = accountKey.address(index);
    const { account } = accountKey;
    await addresses.insertAddress(tx, { orderId, address, script, account, index, issuedAt: clock.now() });
    return address;
  }

  /** Fewer satoshis than this can't be sent to one of the addresses. */
  get dustSats(): bigint {
    return scriptRules[this.#options.accountKey.script].dustSats;
  }

  /** Outputs, addresses and tip of several orders, read in one statement. */
  readLedgers(db: Db, orderIds: readonly string[]): Promise<OrderLedgers> {
    return store.readLedgers(db, orderIds);
  }

  /** Where an order is paid, and of which account's index, as it was given out; null when there is no such order. */
  findIssuedAddress(orderId: string): ReturnType<typeof addresses.findAddress> {
    return addresses.findAddress(this.#options.db, orderId);
  }

  /**
   * An order's address, derived again from the account's key: what was written over in the database is never shown to a
   * payer.
   * @throws when the order has none, or when the stored one is not the derived one.
   */
  async getVerifiedAddress(db: Db, orderId: string): Promise<string> {
    const { accountKey } = this.#options;
    const stored = await addresses.findAddress(db, orderId);
    if (stored === null) throw new Error(`order ${orderId} has no address`);
    // Of a key that was in use before: it can't be derived any more, and is shown as it is.
    if (stored.account !== accountKey.account) return stored.address;
    const { address } = accountKey.address(stored.index);
    if (address !== stored.address) throw new Error(`the address of order ${orderId} is not the one of its index`);
    return address;
  }

  /** One pass of the watcher; see `ChainWalk.pass`. */
  async sync(): Promise<void> {
    const began = performance.now();
    try {
      await this.#chainSync.sync();
      this.#isUpSince(began);
      await this.#metadata.refresh();
    } catch (error) {
      this.#upUntil = 0;
      throw error;
    }
  }

  /** For a process that does not watch: sees that another one does. */
  async observeSync(): Promise<void> {
    const tip = await store.readChainTip(this.#options.db);
    if (tip !== null && tip.revision !== this.#revisionSeen) {
      if (this.#revisionSeen !== null) this.#isUpSince(performance.now());
      this.#revisionSeen = tip.revision;
    }
  }

  /** Whether the chain source answers: while it does not, nothing expires and payments are "being checked". */
  isUp(): boolean {
    return performance.now() < this.#upUntil;
  }

  /** The next look may take as long as the last one, which began then. */
  #isUpSince(began: number): void {
    const now = performance.now();
    this.#upUntil = now + UP_FOR_MS + 2 * (this.pollMs + now - began);
  }

  /** How often the source may be looked at, in milliseconds. */
  get pollMs(): number {
    return this.#options.source.pollMs;
  }

  /** A transaction as the chain source knows it now; null when it does not. @throws ChainSourceError */
  findTransaction(txid: string): Promise<FoundTransaction | null> {
    return this.#options.source.findTransaction(txid);
  }

  /** What in the source's settings hides payments, as last looked at. */
  get limitations(): readonly SourceLimitation[] {
    return this.#limitations;
  }

  /** Looks at the source's settings now and then, and says in the log what is wrong with them. */
  async checkSource(): Promise<void> {
    if (performance.now() < this.#limitationsReadMs + LIMITATIONS_EVERY_MS) return;
    const { log, source } = this.#options;
    try {
      const found = await source.limitations();
      this.#limitationsReadMs = performance.now();
      for (const one of found)
        if (!this.#limitations.includes(one)) log.warn({ limitation: one }, describeLimitation(one));
      this.#limitations = found;
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
    }
  }

  /** Milliseconds until the next look, after so many failures in a row. */
  computeSyncDelayMs(pollMs: number, failures: number): number {
    return computeSyncDelayMs(pollMs, failures);
  }

  async chainHealth(): Promise<ChainHealth> {
    const tip = await store.readChainTip(this.#options.db);
    const { height: tipHeight = null, tipAt = null, reconciledAt = null } = tip ?? {};
    return { isUp: this.isUp(), tipHeight, tipAt, reconciledAt };
  }

  // ---- money that goes out

  /**
   * Has the ledger record what is sent to an address for a refund; answers the id of its script, the same each time. To be
   * called in the transaction that writes the refund, or in one before.
   * @throws Error for what is no address of the network
   */
  watchRefunds(tx: Db, address: string): Promise<string> {
    return payouts.watchScript(tx, address, decodeAddress(address, this.#options.accountKey.network));
  }

  /** What the ledger knows to have been sent to these scripts, in the amounts that refunds ask for; oldest first. */
  async listRefundOutputs(tx: Db, scriptIds: readonly string[]): Promise<readonly RefundOutput[]> {
    const rows = await payouts.readRefundOutputs(tx, scriptIds);
    return rows.map(({ rawTx, ...output }) => ({ ...output, spends: listSpentOutpoints(rawTx) }));
  }

  /** Whether an address is the shop's own: given out, to be given out, or for its change. */
  isOwnAddress(address: string): Promise<boolean> {
    return this.#ownAddresses.has(decodeAddress(address, this.#options.accountKey.network));
  }

  /** Fewer satoshis than this can't be sent to the address. @throws Error for what is no address of the network */
  getDustSats(address: string): bigint {
    return computeDustSats(decodeAddress(address, this.#options.accountKey.network));
  }

  /**
   * Coins of the account that a refund of an order may spend, in the order to take them in: confirmed, mature, and spent by
   * nobody as far as the chain source knows. It is asked about a few at a time until `isEnough`.
   * @param taken outpoints (`txid:vout`) that are meant for something else
   * @throws ChainSourceError
   */
  async selectCoins(
    orderId: string,
    isEnough: (coins: readonly LedgerCoin[]) => boolean,
    taken: ReadonlySet<string> = new Set(),
  ): Promise<readonly LedgerCoin[]> {
    const { db, source, accountKey } = this.#options;
    const known = await payouts.readCoins(db, accountKey.account, orderId, MAX_COINS);
    const free = known.filter(({ txid, vout }) => !taken.has(`${txid}:${vout}`));
    const found: LedgerCoin[] = [];
    for (let start = 0; start < free.length; start += COINS_AT_ONCE) {
      const some = free.slice(start, start + COINS_AT_ONCE);
      const unspent = await Promise.all(some.map((coin) => source.isUnspent(coin)));
      const isFound = some.filter((_, at) => unspent[at]);
      found.push(...isFound);
      if (isFound.length > 0 && isEnough(found)) break;
    }
    return found;
  }

  /**
   * An unsigned transaction that pays a refund of an order from the account's coins; see `planPayout`. Change goes to the
   * account's own branch for change, at the index of the first coin's address.
   * @param asked.reserved the PSBTs of refunds that are on their way: what they spend is not spent again
   * @throws ChainSourceError
   */
  async planRefund(
    orderId: string,
    asked: Pick<PayoutRequest, 'address' | 'amountSats' | 'feeRate' | 'feeFromAmount'> & {
      readonly reserved: readonly Uint8Array[];
    },
  ): Promise<Payout> {
    const { reserved, ...order } = asked;
    const account = this.#options.accountKey;
    const isEnough = (coins: readonly LedgerCoin[]): boolean => areCoinsEnough({ ...order, account, coins });
    const coins = await this.selectCoins(orderId, isEnough, new Set(reserved.flatMap(listOutpoints)));
    return planPayout({ ...order, account, coins, changeIndex: coins[0]?.index ?? 0 });
  }

  /** Hands a signed transaction to the network; answers its txid. @throws ChainSourceError also when it is refused */
  broadcast(raw: Uint8Array): Promise<string> {
    return this.#options.source.broadcast(raw);
  }

  /** Sats per virtual byte for a block within the hour; null while the chain source does not know. Never above the limit. */
  async feeRate(): Promise<number | null> {
    try {
      const rate = await this.#options.source.feeRate();
      return rate === null ? null : Math.min(rate, MAX_FEE_RATE);
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
      this.#options.log.warn({ reason: error.message }, 'the chain source tells no fee rate');
      return null;
    }
  }

  /** Whether a payment or refund in the ledger has fewer confirmations than this. */
  hasOutputsBelowDepth(confirmations: number): Promise<boolean> {
    return store.hasShallowOutputs(this.#options.db, confirmations);
  }

  /** Calls back when the source says that something may have changed. Answers an unsubscribe. */
  onHint(listener: () => void): () => void {
    return this.#options.source.onHint(listener);
  }
}

/** An output that may pay a refund, with the outpoints (`txid:vout`) that its transaction spends. */
export type RefundOutput = Omit<LedgerRefundOutput, 'rawTx'> & { readonly spends: readonly string[] };

const listSpentOutpoints = (rawTx: Uint8Array): string[] =>
  rawTx.length === 0 ? [] : parseTransaction(rawTx).inputs.map(({ txid, vout }) => `${txid}:${vout}`);

const toFoundOutputs = (matches: readonly OutputMatch<string>[]): FoundOutput[] =>
  matches.map(({ watched, ...output }) => ({ ...output, recipientId: watched }));

function createReader({ powLimitBits }: BitcoinNetwork): ChainReader {
  return {
    block(raw, scripts) {
      const { hash, prevHash, time, matches } = scanBlock(raw, scripts, { powLimitBits });
      return { hash, prevHash, time: new Date(time * 1000), outputs: toFoundOutputs(matches) };
    },
    transaction(raw, scripts) {
      const { txid, matches } = scanTransaction(raw, scripts);
      return { txid, outputs: toFoundOutputs(matches) };
    },
    spending(raw) {
      const { txid, inputs } = parseTransaction(raw);
      return { txid, outpoints: inputs.map((input) => `${input.txid}:${input.vout}`) };
    },
    spendingsIn: findSpends,
  };
}

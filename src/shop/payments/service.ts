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
import type { TakenAddress } from './addresses/store.ts';
import type { ChainReader } from './chain-sync/block-source.ts';
import { ChainSync } from './chain-sync/chain-sync.ts';
import { AddressAllocator } from './addresses/address-allocator.ts';
import type { FoundOutput } from './ledger/ledger-store.ts';
import type { LedgerOutput } from './ledger/payment-state.ts';
import { computeSyncDelayMs } from './chain-sync/sync-delay.ts';
import { insertCredit } from './ledger/credits.store.ts';
import type { OrderCredit } from './ledger/credits.store.ts';
import * as payouts from './ledger/payouts.store.ts';
import { OwnAddresses } from './addresses/own-addresses.service.ts';
import type { LedgerCoin, LedgerRefundOutput } from './ledger/payouts.store.ts';
import { SourceMetadata } from './ledger/source-metadata.service.ts';
import { Rescans } from './chain-sync/rescan.service.ts';
import { describeLimitation } from './chain-sync/source-limitations.ts';
import * as store from './store.ts';

/** Ledgers of several orders, read in one snapshot. */
export interface OrderLedgers {
  /** The newest block in the ledger; null before the first. */
  readonly tip: { readonly height: number } | null;
  /** Address and all outputs by order id. */
  readonly ledgers: ReadonlyMap<string, { readonly address: string; readonly outputs: readonly LedgerOutput[] }>;
  /** Sats per 1,000 virtual bytes for confirmation within a day; null without a recent estimate. */
  readonly dayFeePerKvb: bigint | null;
}

export interface ChainHealth {
  readonly isUp: boolean;
  readonly tipHeight: number | null;
  /** Timestamp of the newest block. */
  readonly tipAt: Date | null;
  /** When the ledger last equalled the source, by the shop's clock. */
  readonly reconciledAt: Date | null;
}

export interface PaymentsOptions {
  readonly db: Db;
  /**
   * A separate connection pool: a caller that waits for an index already holds a connection of
   * `db`.
   */
  readonly indexDb: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly source: ChainSource;
  readonly accountKey: AccountKey;
  /** Ids of orders that expect a payment, and of scripts of refunds not yet confirmed. */
  readonly listWaitingRecipients: () => Promise<readonly string[]>;
  /**
   * Reconciles changed orders and refunds within the transaction that changed the ledger.
   * @param recipientIds ids of orders and of refund scripts
   */
  readonly onLedgerChanged: (tx: Db, recipientIds: readonly string[]) => Promise<void>;
  /** The ledger equalled the source at `at`: orders due by then may expire. */
  readonly onReconciled: (at: Date) => Promise<void>;
}

/**
 * How long the chain counts as up after a successful pass, plus the time of two passes; in real
 * time.
 */
const UP_FOR_MS = 30_000;
/**
 * Maximum age of the newest block on public networks; a source with an older one has lost its
 * peers.
 */
const MAX_BLOCK_AGE_MS = 90 * 60_000;

/** Interval between checks of the source's settings. */
const LIMITATIONS_EVERY_MS = 10 * 60_000;

/**
 * Maximum number of outputs of the order, and of others, to check for unspent coins: the most that
 * a standard transaction and a hardware wallet can handle.
 */
const MAX_COINS = 250;
const COINS_AT_ONCE = 8;

/** Addresses, the payment ledger, and its synchronization with the chain. */
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
  /** Rescans of past blocks, requested by staff. */
  readonly rescans: Rescans;

  constructor(options: PaymentsOptions) {
    this.#options = options;
    const { db, indexDb, source, clock, accountKey, listWaitingRecipients, onLedgerChanged, onReconciled } = options;
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
      listWaitingRecipients,
      maxBlockAgeMs: accountKey.network.name === 'regtest' ? null : MAX_BLOCK_AGE_MS,
      readMempoolEntries: (txids) => this.#metadata.readMempoolEntries(txids),
      onChanged: (tx, recipientIds) => onLedgerChanged(tx, recipientIds),
    });
  }

  /** Takes the next address of the account, for `issueAddress`. If it is not issued, its index is skipped. */
  async takeAddress(): Promise<TakenAddress> {
    const { accountKey } = this.#options;
    const index = await this.#addressAllocator.allocateNext();
    return { ...accountKey.deriveAddress(index), account: accountKey.account, index };
  }

  /**
   * Issues an address to an order, within the caller's transaction. It is watched permanently and never
   * reused.
   */
  issueAddress(tx: Db, orderId: string, taken: TakenAddress): Promise<void> {
    return addresses.insertAddress(tx, { ...taken, orderId, issuedAt: this.#options.clock.now() });
  }

  /** Dust limit of the shop's addresses. */
  get dustSats(): bigint {
    return scriptRules[this.#options.accountKey.script].dustSats;
  }

  /** Reads outputs, addresses and tip of several orders in one statement. */
  readLedgers(db: Db, orderIds: readonly string[]): Promise<OrderLedgers> {
    return store.readLedgers(db, orderIds);
  }

  /** The issued address and derivation index of an order; null without the order. */
  findIssuedAddress(orderId: string): ReturnType<typeof addresses.findAddress> {
    return addresses.findAddress(this.#options.db, orderId);
  }

  /**
   * Returns an order's address after deriving it again, so that an address altered in the database
   * is never shown.
   * @throws if there is none, or if the stored and the derived address differ.
   */
  async getVerifiedAddress(db: Db, orderId: string): Promise<string> {
    const { accountKey } = this.#options;
    const stored = await addresses.findAddress(db, orderId);
    if (stored === null) throw new Error(`order ${orderId} has no address`);
    // Issued under a former key, so it can't be derived again.
    if (stored.account !== accountKey.account) return stored.address;
    const { address } = accountKey.deriveAddress(stored.index);
    if (address !== stored.address) throw new Error(`the address of order ${orderId} differs from the derived one`);
    return address;
  }

  /** Runs one pass of chain sync; see `ChainSync.sync`. */
  async sync(): Promise<void> {
    const began = performance.now();
    try {
      await this.#chainSync.sync();
      this.#extendUp(began);
      await this.#metadata.refresh();
    } catch (error) {
      this.#upUntil = 0;
      throw error;
    }
  }

  /** For processes without the leader lock: detects passes of the leader. */
  async observeSync(): Promise<void> {
    const tip = await store.readChainTip(this.#options.db);
    if (tip !== null && tip.revision !== this.#revisionSeen) {
      if (this.#revisionSeen !== null) this.#extendUp(performance.now());
      this.#revisionSeen = tip.revision;
    }
  }

  /**
   * Whether the chain source responds. While false, no order expires and pages state that payments are
   * being checked.
   */
  isUp(): boolean {
    return performance.now() < this.#upUntil;
  }

  /** The next pass may take as long as this one, which started at `began`. */
  #extendUp(began: number): void {
    const now = performance.now();
    this.#upUntil = now + UP_FOR_MS + 2 * (this.pollMs + now - began);
  }

  /** Poll interval of the source in ms. */
  get pollMs(): number {
    return this.#options.source.pollMs;
  }

  /**
   * A transaction as the chain source reports it; null if unknown.
   * @throws ChainSourceError
   */
  findTransaction(txid: string): Promise<FoundTransaction | null> {
    return this.#options.source.findTransaction(txid);
  }

  /** Settings of the source that hide payments, as last checked. */
  get limitations(): readonly SourceLimitation[] {
    return this.#limitations;
  }

  /** Checks the source's settings periodically and logs new limitations. */
  async checkSource(): Promise<void> {
    if (performance.now() < this.#limitationsReadMs + LIMITATIONS_EVERY_MS) return;
    const { log, source } = this.#options;
    try {
      const found = await source.listLimitations();
      this.#limitationsReadMs = performance.now();
      for (const limitation of found)
        if (!this.#limitations.includes(limitation)) log.warn({ limitation }, describeLimitation(limitation));
      this.#limitations = found;
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
    }
  }

  /** Milliseconds until the next pass, after a number of consecutive failures. */
  computeSyncDelayMs(pollMs: number, failures: number): number {
    return computeSyncDelayMs(pollMs, failures);
  }

  async readChainHealth(): Promise<ChainHealth> {
    const tip = await store.readChainTip(this.#options.db);
    const { height: tipHeight = null, tipAt = null, reconciledAt = null } = tip ?? {};
    return { isUp: this.isUp(), tipHeight, tipAt, reconciledAt };
  }

  // ---- refunds

  /**
   * Records outputs to a refund address from now on. Returns the id of its script; idempotent. Call
   * it in or before the transaction that creates the refund.
   * @throws Error for an invalid address
   */
  watchRefunds(tx: Db, address: string): Promise<string> {
    return payouts.watchScript(tx, address, decodeAddress(address, this.#options.accountKey.network));
  }

  /** Credits a refund to an order, once. */
  creditOrder(tx: Db, credit: OrderCredit): Promise<void> {
    return insertCredit(tx, credit);
  }

  /** Outputs to these scripts that match refund amounts, oldest first. */
  async listRefundOutputs(tx: Db, scriptIds: readonly string[]): Promise<readonly RefundOutput[]> {
    const rows = await payouts.readRefundOutputs(tx, scriptIds);
    return rows.map(({ rawTx, ...output }) => ({ ...output, spends: listSpentOutpoints(rawTx) }));
  }

  /** Whether an address belongs to the shop: issued, future, or change. */
  isOwnAddress(address: string): Promise<boolean> {
    return this.#ownAddresses.has(decodeAddress(address, this.#options.accountKey.network));
  }

  /**
   * Dust limit of an address.
   * @throws Error for an invalid address
   */
  getDustSats(address: string): bigint {
    return computeDustSats(decodeAddress(address, this.#options.accountKey.network));
  }

  /**
   * Selects coins for a refund of an order: confirmed, mature and unspent. Queries the chain source
   * in batches until `isEnough`.
   * @param taken outpoints (`txid:vout`) that are reserved
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
    const selected: LedgerCoin[] = [];
    for (let start = 0; start < free.length; start += COINS_AT_ONCE) {
      const some = free.slice(start, start + COINS_AT_ONCE);
      const unspent = await Promise.all(some.map((coin) => source.isUnspent(coin)));
      const unspentCoins = some.filter((_, at) => unspent[at]);
      selected.push(...unspentCoins);
      if (unspentCoins.length > 0 && isEnough(selected)) break;
    }
    return selected;
  }

  /**
   * Plans an unsigned refund transaction from the account's coins; see `planPayout`. Change goes to
   * the change branch at the index of the first coin's address.
   * @param request.reserved PSBTs of open refunds, whose coins are not spent again
   * @throws ChainSourceError
   */
  async planRefund(
    orderId: string,
    request: Pick<PayoutRequest, 'address' | 'amountSats' | 'feeRate' | 'feeFromAmount'> & {
      readonly reserved: readonly Uint8Array[];
    },
  ): Promise<Payout> {
    const { reserved, ...order } = request;
    const account = this.#options.accountKey;
    const isEnough = (coins: readonly LedgerCoin[]): boolean => areCoinsEnough({ ...order, account, coins });
    const coins = await this.selectCoins(orderId, isEnough, new Set(reserved.flatMap(listOutpoints)));
    return planPayout({ ...order, account, coins, changeIndex: coins[0]?.index ?? 0 });
  }

  /**
   * Broadcasts a signed transaction and returns its txid.
   * @throws ChainSourceError, also if the network rejects it
   */
  broadcast(raw: Uint8Array): Promise<string> {
    return this.#options.source.broadcast(raw);
  }

  /** Fee rate in sats per virtual byte for confirmation within an hour, capped; null if unknown. */
  async estimateFeeRate(): Promise<number | null> {
    try {
      const rate = await this.#options.source.estimateFeeRate();
      return rate === null ? null : Math.min(rate, MAX_FEE_RATE);
    } catch (error) {
      if (!(error instanceof ChainSourceError)) throw error;
      this.#options.log.warn({ reason: error.message }, 'the chain source reports no fee rate');
      return null;
    }
  }

  /** Whether a payment or refund in the ledger has fewer confirmations than this. */
  hasOutputsBelowDepth(confirmations: number): Promise<boolean> {
    return store.hasShallowOutputs(this.#options.db, confirmations);
  }

  /**
   * Calls the listener when the source reports a possible change. Returns an unsubscribe function.
   */
  onHint(listener: () => void): () => void {
    return this.#options.source.onHint(listener);
  }
}

/** An output that may be a refund, with the outpoints (`txid:vout`) that its transaction spends. */
export type RefundOutput = Omit<LedgerRefundOutput, 'rawTx'> & { readonly spends: readonly string[] };

const listSpentOutpoints = (rawTx: Uint8Array): string[] =>
  rawTx.length === 0 ? [] : parseTransaction(rawTx).inputs.map(({ txid, vout }) => `${txid}:${vout}`);

const toFoundOutputs = (matches: readonly OutputMatch<string>[]): FoundOutput[] =>
  matches.map(({ watched, ...output }) => ({ ...output, recipientId: watched }));

function createReader({ powLimitBits }: BitcoinNetwork): ChainReader {
  return {
    readBlock(raw, scripts) {
      const { hash, prevHash, time, matches } = scanBlock(raw, scripts, { powLimitBits });
      return { hash, prevHash, time: new Date(time * 1000), outputs: toFoundOutputs(matches) };
    },
    readTransaction(raw, scripts) {
      const { txid, matches } = scanTransaction(raw, scripts);
      return { txid, outputs: toFoundOutputs(matches) };
    },
    readSpending(raw) {
      const { txid, inputs } = parseTransaction(raw);
      return { txid, outpoints: inputs.map((input) => `${input.txid}:${input.vout}`) };
    },
    listSpendings: findSpends,
  };
}

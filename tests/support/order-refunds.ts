/**
 * Refunds of a small shop's orders, with a ledger of their addresses that a test writes like
 * chain sync.
 */
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { openOrderShop } from './order-shop.ts';
import type { OrderShop } from './order-shop.ts';
import { createStaffActor } from './staff-actor.ts';

/** The surplus of these orders. */
export const SURPLUS = 5000n;

export interface Refunded {
  readonly user: string;
  readonly id: string;
  readonly due: bigint;
}

interface Seen {
  readonly byte: number;
  readonly isLive?: boolean;
  readonly height?: number | null;
}

export class OrderRefunds {
  readonly shop: OrderShop;
  readonly staff: string;

  constructor(shop: OrderShop, staff: string) {
    this.shop = shop;
    this.staff = staff;
  }

  async confirmAddress({ user, id }: Refunded, address: string): Promise<void> {
    const { db, now, refunds } = this.shop;
    assert.ok((await refunds.addresses.set(user, id, address)).ok);
    await sql`update refund_addresses set confirmed_at = ${now} where order_id = ${id}`.execute(db);
  }

  /** Creates a paid order with final outputs and this surplus. */
  async createPaidOrder(address: string, surplus = 0n, quantity = 1): Promise<Refunded> {
    const { shop } = this;
    const user = await shop.createBuyer(quantity);
    const { id, payment } = await shop.placeOrder(user);
    const order = { user, id, due: payment.amount_btc };
    await shop.setChainState(id, [{ amount: order.due + surplus, height: shop.tip - 5, firstSeen: shop.now }]);
    await this.confirmAddress(order, address);
    shop.advanceMinutes(1);
    return order;
  }

  async createRefund(id: string, covers: 'surplus' | 'whole' = 'surplus'): Promise<string> {
    const result = await this.shop.refunds.make(createStaffActor(this.staff), id, {
      covers,
      feePaidBy: 'shop',
      from: 'any-wallet',
    });
    assert.ok(result.ok, result.ok ? '' : result.reason);
    return result.refund.id;
  }

  /** Sets the ledger of a refund address, as one commit of chain sync. */
  async setChainState(address: string, seen: readonly Seen[], amount = SURPLUS): Promise<void> {
    const { db, orderStatus, now, refunds } = this.shop;
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string }>`select id from refund_scripts where address = ${address}`.execute(tx);
      const script = rows[0]?.id ?? assert.fail('it is not watched');
      await sql`delete from payment_outputs where refund_script_id = ${script}`.execute(tx);
      for (const { byte, isLive = true, height = null } of seen) {
        const firstSeen = new Date(now.getTime() + byte);
        await sql`insert into payment_outputs (txid, vout, refund_script_id, amount_sats, is_coinbase, is_live, height,
            block_hash, first_seen, raw_tx)
          values (${Buffer.alloc(32, byte)}, 0, ${script}, ${amount}, false, ${isLive}, ${height},
            ${height === null ? null : Buffer.alloc(32, 1)}, ${firstSeen}, '')`.execute(tx);
      }
      await orderStatus.reconcile(tx, await refunds.matching.matchWithLedger(tx, [script]));
    });
  }

  /** State and the first byte of the transaction of each refund, oldest first. */
  async readStates(id: string): Promise<string[]> {
    const found = (await this.shop.refunds.readForOrder(id)) ?? assert.fail();
    return found.refunds.map(({ state, txid }) => `${state} ${txid?.slice(0, 2) ?? ''}`.trim());
  }
}

export async function openOrderRefunds(): Promise<OrderRefunds> {
  const shop = await openOrderShop();
  return new OrderRefunds(shop, await shop.createBuyer(0));
}

/** The ledger's conflicts compared with the chain. */
import assert from 'node:assert/strict';
import type { LedgerView } from './simulation-shop.ts';
import type { SimulatedChain } from './simulated-chain.ts';

/** Checks that lost payments have a confirmed conflict and that open payments have none. */
export function compareConflicts(chain: SimulatedChain, rows: LedgerView['rows']): void {
  for (const { conflictHeight = null, isCoinbase, isLive, txid, vout } of rows.values()) {
    if (isCoinbase) continue;
    const own = chain.findConflictHeight(txid);
    if (own !== null) assert.notEqual(conflictHeight, null, `${txid}:${vout} has a conflict in block ${own}`);
    if (conflictHeight === null) continue;
    assert.equal(isLive, false, `${txid}:${vout} is live and has a conflict`);
    const heights = [txid, ...chain.listAncestors(txid)].map((one) => chain.findConflictHeight(one));
    assert.ok(heights.includes(conflictHeight), `${txid}:${vout} has no conflict in block ${conflictHeight}`);
  }
}

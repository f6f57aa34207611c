/** Reads the recipients of a simulated chain's transactions. */
import type { RefundScript } from './simulation-shop.ts';
import type { Output } from './expected-payment.ts';
import type { SimulatedChain } from './simulated-chain.ts';

/**
 * The ledger names one of several outputs that left together, so the cause is certain only if all
 * share it.
 */
export function findLeaveReason(chain: SimulatedChain, left: readonly string[]): 'replaced' | 'dropped' | 'either' {
  const causes = new Set(
    left.map((key) => {
      const txid = key.slice(0, key.indexOf(':'));
      if (chain.isConflicted(txid)) return 'replaced';
      return chain.listAncestors(txid).some((one) => chain.isConflicted(one)) ? 'either' : 'dropped';
    }),
  );
  const [cause] = causes;
  return causes.size === 1 && cause !== undefined ? cause : 'either';
}

/** An order, or a refund with the amounts of it that matter. */
export type Payee = Pick<RefundScript, 'id' | 'script'> & Partial<RefundScript>;

/** Live outputs of a payee under a tip. */
export function listOutputs(chain: SimulatedChain, payee: Payee, tip: number): Output[] {
  return chain.all.flatMap(({ txid, outputs, isCoinbase }) => {
    if (!chain.isActive(txid)) return [];
    const at = chain.findHeight(txid);
    const height = at !== null && at <= tip ? at : null;
    const confirmations = height === null ? 0 : tip - height + 1;
    return outputs.flatMap(({ script, amount }, vout) =>
      script === payee.script && (payee.amounts?.includes(amount) ?? true)
        ? [{ key: `${txid}:${vout}`, txid, vout, amount, height, isCoinbase, confirmations }]
        : [],
    );
  });
}

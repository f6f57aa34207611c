import { z } from 'zod';
import type { FoundTransaction } from '../chain-source.ts';
import { parseTransaction } from '../transaction.ts';
import { RpcError } from './core-rpc.ts';
import type { CoreRpcMethod } from './rpc-methods.ts';

export type CallNode = <T>(shape: z.ZodType<T>, method: CoreRpcMethod, ...params: unknown[]) => Promise<T>;

/** From Bitcoin Core's rpc/protocol.h. */
const NO_SUCH_ADDRESS_OR_KEY = -5;
/**
 * Payments are mostly among the first outputs; exchanges pay about a hundred recipients at a time.
 */
const MAX_OUTPUTS = 24;

const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/);
const verboseTransaction = z.object({ hex, confirmations: z.number().int().nonnegative().default(0) });
const unspentOutput = z
  .object({
    confirmations: z.number().int().nonnegative(),
    value: z.number().nonnegative().max(21_000_000),
    scriptPubKey: z.object({ hex: z.string() }),
  })
  .nullable();
const tip = z.object({ blocks: z.number().int().nonnegative() });

/** Finds a transaction in the mempool, in the txindex, or by its first unspent outputs. */
export async function findTransaction(callNode: CallNode, txid: string): Promise<FoundTransaction | null> {
  const [whole, { blocks }] = await Promise.all([
    readWholeTransaction(callNode, txid),
    callNode(tip, 'getblockchaininfo'),
  ]);
  const computeHeight = (confirmations: number): number | null =>
    confirmations === 0 ? null : Math.max(0, blocks - confirmations + 1);
  if (whole !== null) {
    const outputs = parseTransaction(Buffer.from(whole.hex, 'hex')).outputs.map(({ amountSats, scriptHex }, vout) => ({
      vout,
      amountSats,
      scriptHex,
    }));
    const { confirmations } = whole;
    return { confirmations, height: computeHeight(confirmations), isComplete: true, outputs };
  }
  const vouts = Array.from({ length: MAX_OUTPUTS }, (_, vout) => vout);
  const unspent = await Promise.all(vouts.map((vout) => callNode(unspentOutput, 'gettxout', txid, vout, true)));
  const outputs = unspent.flatMap((output, vout) =>
    output === null
      ? []
      : { vout, amountSats: BigInt(Math.round(output.value * 1e8)), scriptHex: output.scriptPubKey.hex },
  );
  const confirmations = unspent.find((output) => output !== null)?.confirmations ?? null;
  return confirmations === null
    ? null
    : { confirmations, height: computeHeight(confirmations), isComplete: false, outputs };
}

async function readWholeTransaction(
  callNode: CallNode,
  txid: string,
): Promise<z.output<typeof verboseTransaction> | null> {
  try {
    return await callNode(verboseTransaction, 'getrawtransaction', txid, true);
  } catch (error) {
    if (error instanceof RpcError && error.code === NO_SUCH_ADDRESS_OR_KEY) return null;
    throw error;
  }
}

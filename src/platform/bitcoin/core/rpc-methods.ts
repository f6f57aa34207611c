/** Every call that the shop makes to a Bitcoin node: the whole of what `rpcwhitelist` has to allow. */
export const CORE_RPC_METHODS = [
  'estimatesmartfee',
  'getblock',
  'getblockchaininfo',
  'getblockhash',
  'getmempoolentry',
  'getmempoolinfo',
  'getnettotals',
  'getnetworkinfo',
  'getrawmempool',
  'getrawtransaction',
  'gettxout',
  'sendrawtransaction',
] as const;

export type CoreRpcMethod = (typeof CORE_RPC_METHODS)[number];

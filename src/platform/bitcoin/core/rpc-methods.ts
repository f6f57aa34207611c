/** Every RPC method that the shop calls, for `rpcwhitelist`. */
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

import { NETWORK, TEST_NETWORK } from '@scure/btc-signer';
import type { BTC_NETWORK } from '@scure/btc-signer/utils.js';

export const networkNames = ['mainnet', 'testnet4', 'signet', 'regtest'] as const;
export type BitcoinNetworkName = (typeof networkNames)[number];

export interface BitcoinNetwork {
  readonly name: BitcoinNetworkName;
  /** Address parameters for @scure/btc-signer. */
  readonly addresses: BTC_NETWORK;
  /** Human-readable part of segwit addresses. */
  readonly bech32: string;
  /** Hash of block 0 in display order. */
  readonly genesisHash: string;
  /** Proof-of-work limit in compact form. */
  readonly powLimitBits: number;
  /**
   * Minimum work of new blocks. On mainnet a fifth of block 800,000 (2023), so that forging a block
   * costs more than it could gain; elsewhere the limit.
   */
  readonly minWorkBits: number;
  /** Whether work changes only every 2016 blocks, by at most a factor of four. */
  readonly hasSteadyWork: boolean;
  /**
   * Version bytes of extended public keys: `account` is xpub or tpub, `bip84` is zpub or vpub
   * (SLIP-132).
   */
  readonly extendedKeys: { readonly account: number; readonly bip84: number };
}

const MAINNET_KEYS = { account: 0x0488b21e, bip84: 0x04b24746 };
const TEST_KEYS = { account: 0x043587cf, bip84: 0x045f1cf6 };

const networks: Readonly<Record<BitcoinNetworkName, BitcoinNetwork>> = {
  mainnet: {
    name: 'mainnet',
    addresses: NETWORK,
    bech32: 'bc',
    genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    powLimitBits: 0x1d00ffff,
    minWorkBits: 0x171a1ae4,
    hasSteadyWork: true,
    extendedKeys: MAINNET_KEYS,
  },
  testnet4: {
    name: 'testnet4',
    addresses: TEST_NETWORK,
    bech32: 'tb',
    genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    powLimitBits: 0x1d00ffff,
    minWorkBits: 0x1d00ffff,
    // Blocks may be easy after twenty minutes.
    hasSteadyWork: false,
    extendedKeys: TEST_KEYS,
  },
  signet: {
    name: 'signet',
    addresses: TEST_NETWORK,
    bech32: 'tb',
    genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    powLimitBits: 0x1e0377ae,
    minWorkBits: 0x1e0377ae,
    hasSteadyWork: true,
    extendedKeys: TEST_KEYS,
  },
  regtest: {
    name: 'regtest',
    addresses: { ...TEST_NETWORK, bech32: 'bcrt' },
    bech32: 'bcrt',
    genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    powLimitBits: 0x207fffff,
    minWorkBits: 0x207fffff,
    hasSteadyWork: false,
    extendedKeys: TEST_KEYS,
  },
};

export function getBitcoinNetwork(name: BitcoinNetworkName): BitcoinNetwork {
  return networks[name];
}

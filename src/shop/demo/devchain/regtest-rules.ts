/** Consensus rules with the parameters of regtest (Bitcoin Core, kernel/chainparams.cpp). */

export const REGTEST_BITS = 0x207fffff;
export const COINBASE_MATURITY = 100;
export const MAX_BLOCK_WEIGHT = 4_000_000;

const HALVING_INTERVAL = 150;
const FIRST_SUBSIDY_SATS = 5_000_000_000n;

/** Subsidy of the block at a height, in sats. */
export function computeSubsidySats(height: number): bigint {
  const halvings = Math.floor(height / HALVING_INTERVAL);
  return halvings >= 64 ? 0n : FIRST_SUBSIDY_SATS >> BigInt(halvings);
}

/** The genesis block. Its coinbase can never be spent. */
export const GENESIS_BLOCK: Buffer = Buffer.from(
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3' +
    '888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000' +
    '01' +
    '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054' +
    '696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420' +
    '666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61' +
    'deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
  'hex',
);

/** Fee rate of the devchain's wallet, in sats per virtual byte. */
export const DEVCHAIN_FEE_RATE = 2;

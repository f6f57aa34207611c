/**
 * The account of a demo shop on its devchain, whose coins are worth nothing. Its key is derived from the random secret of
 * the devchain's wallet, which exists in the database of this demo shop only. A live shop has no key that signs.
 */
import { hkdfSync } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import { scriptRules } from '#src/platform/bitcoin/wallet-script.ts';
import type { WalletScript } from '#src/platform/bitcoin/wallet-script.ts';
import { createHdSigner } from '#src/platform/bitcoin/hd-signer.ts';
import type { HdSigner } from '#src/platform/bitcoin/hd-signer.ts';

const SEED_BYTES = 32;
/** Version bytes of keys on test networks (BIP32). */
const VERSIONS = { public: getBitcoinNetwork('regtest').extendedKeys.account, private: 0x04358394 };

export class DemoAccount {
  /** Public: all that the shop itself uses. */
  readonly accountKey: AccountKey;
  readonly #signer: HdSigner;

  /** @param secret of the devchain's wallet, never logged */
  constructor(secret: Uint8Array, script: WalletScript) {
    const seed = hkdfSync('sha256', secret, new Uint8Array(), 'account of the demo shop', SEED_BYTES);
    const master = HDKey.fromMasterSeed(new Uint8Array(seed), VERSIONS);
    const fingerprint = master.fingerprint.toString(16).padStart(8, '0');
    // The first account on test networks.
    const path = `${scriptRules[script].purpose}'/1'/0'`;
    const key = master.derive(`m/${path}`).publicExtendedKey;
    const read = readAccountKey(`[${fingerprint}/${path}]${key}`, 'regtest', script);
    if (!read.ok) throw new Error(read.message);
    this.accountKey = read.account;
    this.#signer = createHdSigner(master);
  }

  /** A PSBT with signatures. Null if the account has the key of none of its coins. */
  sign(psbt: Uint8Array): Uint8Array | null {
    const transaction = Transaction.fromPSBT(psbt);
    try {
      transaction.sign(this.#signer);
    } catch {
      // The library throws if no input was signed.
      return null;
    }
    return transaction.toPSBT();
  }
}

/**
 * Account of demo shops on a chain other than the devchain, on test networks only. Its random seed was discarded, so its
 * coins are unspendable.
 */
export const DEMO_ACCOUNT_KEY =
  'tpubDCtANe1E1DPWDNDBGYKKaooXoka3oUWQdgPretEzv7PMRtgJ8gQ8fkysMbwjeSBuagbpEhf7nWAd4pXDiGuYXBXoKYwQKJSxoPuAyJsxfGh';

/**
 * The account that a demo shop receives on, for the test networks only. Its seed was random and was not kept: nobody can
 * spend what is paid to it.
 */
export const DEMO_ACCOUNT_KEY =
  'tpubDCtANe1E1DPWDNDBGYKKaooXoka3oUWQdgPretEzv7PMRtgJ8gQ8fkysMbwjeSBuagbpEhf7nWAd4pXDiGuYXBXoKYwQKJSxoPuAyJsxfGh';

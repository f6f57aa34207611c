/** Payment URIs (BIP21). */
export interface PaymentRequest {
  readonly address: string;
  /** Decimal BTC with at most 8 places, such as `0.01234500`; omitted if the payer chooses. */
  readonly amountBtc?: string;
  readonly label?: string;
  readonly message?: string;
}

const DECIMAL_BTC = /^(?:0|[1-9]\d{0,7})(?:\.\d{1,8})?$/;

/**
 * `bitcoin:<address>?amount=<BTC>&label=<text>`.
 * @throws RangeError when the amount is not a decimal number of BTC, or the address is not a plain word
 */
export function createBip21Uri(request: PaymentRequest): string {
  const { address, amountBtc, label, message } = request;
  if (!/^[0-9A-Za-z]+$/.test(address)) throw new RangeError('the address must consist of letters and digits');
  if (amountBtc !== undefined && !DECIMAL_BTC.test(amountBtc)) {
    throw new RangeError('the amount must be decimal BTC with at most 8 places');
  }
  // encodeURIComponent instead of URLSearchParams: BIP21 readers do not decode + as a space.
  const query = Object.entries({ amount: amountBtc, label, message })
    .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`);
  return `bitcoin:${address}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

/**
 * The payment URI for a QR code: `BITCOIN:<ADDRESS>?amount=<BTC>`. Upper case uses the smaller
 * alphanumeric mode; base58 addresses are case sensitive and stay as they are. `amount` stays lower
 * case, as wallets expect.
 */
export function createBip21QrUri(request: PaymentRequest): string {
  const { address, amountBtc } = request;
  const plain = createBip21Uri(amountBtc === undefined ? { address } : { address, amountBtc });
  const isBech32 = /^(?:bc|tb|bcrt)1/i.test(address);
  return plain.replace(`bitcoin:${address}`, `BITCOIN:${isBech32 ? address.toUpperCase() : address}`);
}

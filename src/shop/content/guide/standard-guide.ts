/**
 * The text of `/how-to-buy` until the merchant writes one. It is true of every shop: its figures
 * are those of the settings.
 */
export const STANDARD_GUIDE = {
  lead: 'Your first purchase takes about half an hour, later ones two minutes. Follow these steps.',
  markdown: `## 1. Get a wallet

A wallet is an app that holds and sends your bitcoin. Good wallets are free: BlueWallet and Phoenix on a phone, Sparrow and Electrum on a computer. Install it from its official site or your app store.

A new wallet shows a recovery phrase of 12 or 24 words. Write it on paper and keep it in a safe place: anyone with the phrase can spend your bitcoin, and you need it if you lose your device. **Never enter it on a website or share it.** We never ask for it.

Already have an exchange account? You can pay from there and skip this step.

## 2. Get some bitcoin

Buy it on an exchange, such as Kraken, Coinbase or Bitstamp, by bank transfer or card. Then withdraw it to your wallet. You need not buy a whole one: a fraction in the amount of your order is enough.

Buy a little more than the price to cover exchange and network fees. Verifying your identity for a first purchase can take a day or two, so place your order after the bitcoin is in your wallet.

## 3. Order as in any shop

1. Add items to your [cart](/cart). Have a [promo code](/promo)? Enter it in the cart.
2. Press “Continue to Checkout”. Log in or register.
3. Enter your delivery address, check what you order and its total, and press the button below. The rate is fixed for {payment_window}, or for {short_payment_window} if an item is almost sold out.

## 4. Scan and send

The page shows a QR code, an amount and an address that is used only for this order.

1. In your wallet, press Send and scan the code. It contains the address and the amount. On the same phone, open the link below the code instead. To pay from an exchange, copy both with their buttons.
2. Check that the first and last characters of the address match, and that the currency is BTC on the Bitcoin network. Other coins and networks do not work.
3. **Send exactly the amount shown,** with all decimals. If your exchange deducts its fee from the amount, send more so that the full amount arrives.

## 5. Choose the fee

The wallet asks for the network fee. Choose normal or medium: the fee does not depend on the amount, and the payment confirms in one of the next blocks. With the lowest fee, a payment can take hours when the network is busy. The fee goes to the network and is not part of our amount.

## 6. Wait for the confirmation

The page shows your payment within seconds. Then the network includes it in a block, which takes about ten minutes: this is the first confirmation. {confirmations}.

You can close the page. We update your order automatically, and you can follow it in your [profile](/dashboard). “I paid” is optional: an order is paid once the network confirms the payment.

## If something goes wrong

- **Too little arrived.** The page shows the missing amount and a code for it. Send it before the countdown on the order page ends.
- **Too much arrived.** The order is paid, and we refund the surplus to the address that you confirm on the page of your order.
- **You paid too late.** We accept the payment if the order has not expired long ago and the price of bitcoin has moved by at most {late_tolerance}. Otherwise you choose between a new quote and a refund. Do not pay an expired order: request a new quote first.
- **The payment is not confirmed.** With a low fee this can take hours. The time at which the network first saw it counts. Most wallets can increase the fee later (“bump”, “RBF”).
- **You changed your mind.** Do not pay: the order expires at no cost. Already paid? {refund_rule} See [Returns](/returns) or [contact us](/contact).

## Your receipt

Every order in your [profile](/dashboard) shows its number, the items, the price in dollars and bitcoin, and its transactions. Anyone can look these up on the blockchain.
`,
} as const;

import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { TextSection } from '#src/storefront/layout/text-page.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { ButtonLink } from '#src/ui/button.tsx';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('How to buy with bitcoin') },
  {
    name: 'description',
    content: 'Buy with bitcoin, step by step: get a wallet, get bitcoin, order and pay. No experience needed.',
  },
];

const sections: readonly TextSection[] = [
  {
    id: 'wallet',
    title: '1. Get a wallet',
    body: (
      <>
        <p>
          A wallet is an app that holds and sends your bitcoin. Good wallets are free: BlueWallet and Phoenix on a
          phone, Sparrow and Electrum on a computer. Install it from its official site or your app store.
        </p>
        <p>
          A new wallet shows a recovery phrase of 12 or 24 words. Write it on paper and keep it in a safe place: anyone
          with the phrase can spend your bitcoin, and you need it if you lose your device.{' '}
          <strong>Never enter it on a website or share it.</strong> We never ask for it.
        </p>
        <p>Already have an exchange account? You can pay from there and skip this step.</p>
      </>
    ),
  },
  {
    id: 'bitcoin',
    title: '2. Get some bitcoin',
    body: (
      <>
        <p>
          Buy it on an exchange, such as Kraken, Coinbase or Bitstamp, by bank transfer or card. Then withdraw it to
          your wallet. You can buy a fraction: an iPhone Air costs about a hundredth of a bitcoin.
        </p>
        <p>
          Buy about 2 percent more than the price to cover exchange and network fees. Verifying your identity for a
          first purchase can take a day or two, so place your order after the bitcoin is in your wallet.
        </p>
      </>
    ),
  },
  {
    id: 'order',
    title: '3. Order as in any shop',
    body: (
      <ol>
        <li>
          Add items to your <Link to="/cart">cart</Link>. Have a <Link to="/promo">promo code</Link>? Enter it in the
          cart.
        </li>
        <li>Press “Continue to Checkout”. Log in or register.</li>
        <li>
          Enter your delivery address and press “Continue to payment”. The rate is fixed for two hours, or for 15
          minutes if an item is almost sold out.
        </li>
      </ol>
    ),
  },
  {
    id: 'pay',
    title: '4. Scan and send',
    body: (
      <>
        <p>The page shows a QR code, an amount and an address that is used only for this order.</p>
        <ol>
          <li>
            In your wallet, press Send and scan the code. It contains the address and the amount. On the same phone,
            open the link below the code instead. To pay from an exchange, copy both with their buttons.
          </li>
          <li>
            Check that the first and last characters of the address match, and that the currency is BTC on the Bitcoin
            network. Other coins and networks do not work.
          </li>
          <li>
            <strong>Send exactly the amount shown,</strong> with all decimals. If your exchange deducts its fee from the
            amount, send more so that the full amount arrives.
          </li>
        </ol>
      </>
    ),
  },
  {
    id: 'fee',
    title: '5. Choose the fee',
    body: (
      <p>
        The wallet asks for the network fee. Choose normal or medium: it is usually below two dollars, whatever the
        amount, and confirms in one of the next blocks. With the lowest fee, a payment can take hours when the network
        is busy. The fee goes to the network and is not part of our amount.
      </p>
    ),
  },
  {
    id: 'confirmations',
    title: '6. Wait for the confirmation',
    body: (
      <>
        <p>
          The page shows your payment within seconds. Then the network includes it in a block, which takes about ten
          minutes: this is the first confirmation. One is enough below $500, two from $500, three from $5,000 and six
          from $25,000.
        </p>
        <p>
          You can close the page. We update your order automatically, and you can follow it in your{' '}
          <Link to="/dashboard">profile</Link>. “I paid” is optional: an order is paid once the network confirms the
          payment.
        </p>
      </>
    ),
  },
  {
    id: 'trouble',
    title: 'If something goes wrong',
    body: (
      <ul>
        <li>
          <strong>Too little arrived.</strong> The page shows the missing amount and a code for it. Send it before the
          countdown on the order page ends.
        </li>
        <li>
          <strong>Too much arrived.</strong> The order is paid, and we refund the surplus to your address.
        </li>
        <li>
          <strong>You paid too late.</strong> We accept the payment if the price of bitcoin has moved by at most 2
          percent. Otherwise you choose between a new quote and a refund. Do not pay an expired order: request a new
          quote first.
        </li>
        <li>
          <strong>The payment is not confirmed.</strong> With a low fee this can take hours. The time at which the
          network first saw it counts. Most wallets can increase the fee later (“bump”, “RBF”).
        </li>
        <li>
          <strong>You changed your mind.</strong> Do not pay: the order expires at no cost. Already paid? See{' '}
          <Link to="/returns">Returns</Link>.
        </li>
      </ul>
    ),
  },
  {
    id: 'receipt',
    title: 'Your receipt',
    body: (
      <p>
        Every order in your <Link to="/dashboard">profile</Link> shows its number, the items, the price in dollars and
        bitcoin, and its transactions. Anyone can look these up on the blockchain.
      </p>
    ),
  },
];

function HowToBuyPage() {
  return (
    <TextPage
      title="How to buy with bitcoin"
      lead="Your first purchase takes about half an hour, later ones two minutes. Follow these steps."
      sections={sections}
      end={<ButtonLink to="/catalog">Shop now</ButtonLink>}
    />
  );
}

export default cacheFragment(HowToBuyPage, () => '');

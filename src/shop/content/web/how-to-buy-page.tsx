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
    content: 'Buying with bitcoin, step by step, for someone who has never done it: wallet, coins, order, payment.',
  },
];

const sections: readonly TextSection[] = [
  {
    id: 'wallet',
    title: '1. Get a wallet',
    body: (
      <>
        <p>
          A wallet is an app that holds your bitcoin and sends it. Good ones cost nothing: BlueWallet and Phoenix on a
          phone, Sparrow and Electrum on a computer. Install it from its maker’s own site or your app store.
        </p>
        <p>
          On its first start it shows 12 or 24 words. Write them on paper and keep them where you keep your passport:
          whoever has these words has the coins, and without them a lost phone is lost money.{' '}
          <strong>Never type them into a website and never tell them to anybody.</strong> We will not ask.
        </p>
        <p>Have an account at an exchange already? You can pay straight from there and skip this step.</p>
      </>
    ),
  },
  {
    id: 'bitcoin',
    title: '2. Get some bitcoin',
    body: (
      <>
        <p>
          Buy it at an exchange (Kraken, Coinbase and Bitstamp are large ones) by bank transfer or card, then withdraw
          it to your wallet. You need not buy a whole one: an iPhone Air costs about a hundredth of a bitcoin.
        </p>
        <p>
          Buy a little more than the price, some two percent, for the fees of the exchange and of the network. A first
          purchase can take a day or two until the exchange has checked who you are. So get the coins first, and order
          when they are there.
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
          Put what you want into the <Link to="/cart">cart</Link>. Have a <Link to="/promo">promo code</Link>? It goes
          in there too.
        </li>
        <li>Press “Continue to Checkout”. Sign in, or register: a user name, an email address, a password.</li>
        <li>
          Enter where we should deliver and press “Continue to payment”. The rate is now fixed for two hours, or for 15
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
        <p>The page now shows a QR code, an amount and an address that belongs to this order alone.</p>
        <ol>
          <li>
            In your wallet press Send and scan the code. It fills in address and amount. On the same phone, press the
            link beneath the code instead. From an exchange, copy both with the buttons beside them.
          </li>
          <li>
            Check that the first and last characters of the address are the same in wallet and page, and that the
            currency is BTC on the Bitcoin network, not one of the look-alikes that exchanges offer.
          </li>
          <li>
            <strong>Send exactly the amount shown,</strong> to the last decimal. If your exchange takes its fee out of
            what it sends, raise the amount so that the amount shown arrives.
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
        The wallet asks what you want to pay the network for carrying the payment. Take what it calls normal or medium:
        usually that is well below a dollar or two, whatever the sum, and gets you into one of the next blocks. The
        lowest fee may wait for hours when many people send at once. The fee does not go to us and does not change our
        amount.
      </p>
    ),
  },
  {
    id: 'confirmations',
    title: '6. Wait for the confirmation',
    body: (
      <>
        <p>
          Within seconds the page says that your payment was seen. Then the network writes it into a block, about every
          ten minutes: that is a confirmation. One is enough below $500, two from $500, three from $5,000 and six from
          $25,000.
        </p>
        <p>
          You may close the page, go home, turn the phone off. The order counts on by itself, and under your{' '}
          <Link to="/dashboard">profile</Link> you see where it stands. “I paid” only tells us that you have sent it;
          the network has the last word.
        </p>
      </>
    ),
  },
  {
    id: 'trouble',
    title: 'If it goes differently',
    body: (
      <ul>
        <li>
          <strong>Too little arrived.</strong> Nothing is lost. The page shows what is missing, with a code for just
          that amount. Send it before the time on the order page is over.
        </li>
        <li>
          <strong>Too much arrived.</strong> The order is paid, and we return the surplus to an address of yours.
        </li>
        <li>
          <strong>You were too late.</strong> We accept the payment by itself if the price of bitcoin has hardly moved,
          by 2 percent at most; otherwise you choose between a new quote and your money back. Please do not send to an
          order that has expired: ask for a new quote first.
        </li>
        <li>
          <strong>It is stuck.</strong> With a low fee it may take hours, which is no trouble: what counts is when the
          network first saw it. Most wallets can raise the fee afterwards (“bump”, “RBF”).
        </li>
        <li>
          <strong>You changed your mind.</strong> Simply do not pay: the order expires and costs nothing. Paid already?
          See <Link to="/returns">Returns</Link>.
        </li>
      </ul>
    ),
  },
  {
    id: 'receipt',
    title: 'Your receipt',
    body: (
      <p>
        Every order in your <Link to="/dashboard">profile</Link> shows its number, the devices, the price in dollars and
        in bitcoin, and the transactions that paid it. Anybody, your accountant too, can look those up on the
        blockchain.
      </p>
    ),
  },
];

function HowToBuyPage() {
  return (
    <TextPage
      title="How to buy with bitcoin"
      lead="Never done it? Half an hour the first time, two minutes ever after. Here is every step."
      sections={sections}
      end={<ButtonLink to="/catalog">Choose a device</ButtonLink>}
    />
  );
}

export default cacheFragment(HowToBuyPage, () => '');

import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { TextSection } from '#src/storefront/layout/text-page.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { formatPageTitle, SHOP_ADDRESS, SHOP_NAME } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Terms and conditions') },
  { name: 'description', content: 'What you and we agree on when you buy here: orders, bitcoin payments, delivery.' },
];

const sections: readonly TextSection[] = [
  {
    id: 'who',
    title: 'Who we are',
    body: (
      <>
        <p>
          {`${SHOP_NAME} (“we”) sells devices by Apple and accessories of other brands from ${SHOP_ADDRESS}.`} We are an
          independent shop: not affiliated with Apple Inc., not authorised or endorsed by it. Product names are the
          trademarks of their owners and serve to say what we sell.
        </p>
        <p>These terms hold for every order placed on this website, in the version of the day on which you order.</p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <>
        <p>
          Anybody may fill a cart. To order you need an account, and you must be at least 18 years old or have the
          consent of a parent. Give us an email address that reaches you and keep your password to yourself: what is
          done with your login counts as done by you, until you tell us that somebody else has it.
        </p>
        <p>
          We never ask for a seed phrase, a private key or remote access to your computer. Anyone who does is not us.
        </p>
      </>
    ),
  },
  {
    id: 'order',
    title: 'How an order comes about',
    body: (
      <>
        <p>
          What the shop shows is an invitation to order. With “Continue to payment” you make an offer; the contract
          comes about when your payment is confirmed by the Bitcoin network. You can have one unpaid order at a time.
          Until you have sent a payment you may let it go: an order that is not paid expires by itself and costs
          nothing.
        </p>
        <p>
          Should a price be an obvious mistake, or a device no longer to be had after you paid, we tell you at once and
          return everything you paid.
        </p>
      </>
    ),
  },
  {
    id: 'prices',
    title: 'Prices and the rate',
    body: (
      <>
        <p>
          Prices are set in US dollars and include value added tax where it is due. The price in bitcoin follows the
          market; it is rounded up to a whole 100 satoshi, so that the six decimals you see are exactly what is to be
          paid.
        </p>
        <p>
          When you place the order, its rate is fixed for <strong>two hours</strong>. Within them you pay the amount
          shown, wherever the market goes. If an item is almost sold out, the time is 15 minutes, and two hours once we
          see at least half of the amount. The order page shows the time left.
        </p>
        <p>
          One <Link to="/promo">promo code</Link> can be used for an order. It is used up when the order is placed and
          given back if the order expires.
        </p>
      </>
    ),
  },
  {
    id: 'payment',
    title: 'Paying with bitcoin',
    body: (
      <>
        <p>
          Every order has a Bitcoin address of its own. Send the exact amount to it, on the Bitcoin network and in BTC;
          coins sent on another network or of another kind cannot be recovered by us. The fee of the network is yours.
        </p>
        <p>An order is paid once its payment has this many confirmations:</p>
        <table>
          <thead>
            <tr>
              <th scope="col">Total of the order</th>
              <th scope="col">Confirmations</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <td>below $500</td>
              <td>1</td>
            </tr>
            <tr>
              <td>from $500</td>
              <td>2</td>
            </tr>
            <tr>
              <td>from $5,000</td>
              <td>3</td>
            </tr>
            <tr>
              <td>from $25,000</td>
              <td>6</td>
            </tr>
          </tbody>
        </table>
        <ul>
          <li>
            <strong>Too little:</strong> the order page shows what is missing. Send the rest before the time on that
            page is over and both payments count together.
          </li>
          <li>
            <strong>Too much:</strong> the order is paid, and we return the surplus to an address of yours.
          </li>
          <li>
            <strong>Too late:</strong> we accept the payment as long as the order would not cost more than 2 percent
            more bitcoin at the rate of that moment. Otherwise you choose between a new quote and your money back.
          </li>
        </ul>
        <p>
          A confirmed payment on the Bitcoin network cannot be reversed by anybody. Should the network itself take a
          payment back, the order counts as unpaid until it is confirmed again, and we wait with its delivery.
        </p>
      </>
    ),
  },
  {
    id: 'delivery',
    title: 'Delivery',
    body: (
      <p>
        Shipping is free for all orders; times and countries stand under <Link to="/free-shipping">Free shipping</Link>.
        Parcels are insured: the risk is ours until the parcel is in your hands. Outside the United Kingdom, import
        duties and taxes of your country are yours. The devices remain our property until they are paid.
      </p>
    ),
  },
  {
    id: 'returns',
    title: 'Returns and warranty',
    body: (
      <p>
        You may return a device within 14 days of delivery; how, and how we refund, stands under{' '}
        <Link to="/returns">Returns</Link>. All devices are new and sealed and carry the warranty of their manufacturer.
        Your rights as a consumer come on top and are not limited by anything on this page.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'What we answer for',
    body: (
      <p>
        We answer without limit for death and injury that we cause, for fraud, and wherever the law does not allow
        otherwise. For everything else we answer up to the price of the order. We do not answer for changes in the value
        of bitcoin, for mistakes of a wallet or an exchange, or for coins that you sent to an address other than that of
        your order.
      </p>
    ),
  },
  {
    id: 'law',
    title: 'Law, disputes and changes',
    body: (
      <>
        <p>
          The law of England and Wales applies; where you are a consumer, the protection of the law of your country
          remains. Tell us first: open a ticket in your <Link to="/dashboard">profile</Link>, and we answer within one
          business day.
        </p>
        <p>We may change these terms for future orders. The version of the day on which you order stays yours.</p>
      </>
    ),
  },
];

function TermsPage() {
  return (
    <TextPage
      title="Terms and conditions"
      lead="What you and we agree on when you buy here, in plain words."
      updated="20 Nov 2026"
      sections={sections}
    />
  );
}

export default cacheFragment(TermsPage, () => '');

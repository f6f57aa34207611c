import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { TextSection } from '#src/storefront/layout/text-page.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { formatPageTitle, SHOP_ADDRESS, SHOP_NAME } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Terms and conditions') },
  { name: 'description', content: 'Our terms for orders, bitcoin payments, delivery and returns.' },
];

const sections: readonly TextSection[] = [
  {
    id: 'who',
    title: 'Who we are',
    body: (
      <>
        <p>
          {`${SHOP_NAME} (“we”) sells devices by Apple and accessories of other brands from ${SHOP_ADDRESS}.`} We are an
          independent shop, not affiliated with, authorised or endorsed by Apple Inc. Product names are trademarks of
          their owners and are used to describe what we sell.
        </p>
        <p>These terms apply to every order placed on this website, in the version valid on the day of the order.</p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <>
        <p>
          Anyone can fill a cart. To order, you need an account and must be at least 18 years old or have the consent of
          a parent. Provide an email address at which we can reach you and keep your password secret. You are
          responsible for actions under your login until you report that someone else has it.
        </p>
        <p>We never ask for a recovery phrase, a private key or remote access to your computer.</p>
      </>
    ),
  },
  {
    id: 'order',
    title: 'How a contract is made',
    body: (
      <>
        <p>
          Products in the shop are an invitation to order. With “Continue to payment” you make an offer; the contract is
          made when your payment is confirmed by the Bitcoin network. You can have one unpaid order at a time. An unpaid
          order expires automatically at no cost.
        </p>
        <p>
          If a price is an obvious mistake, or a device is unavailable after you paid, we inform you immediately and
          refund your payment in full.
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
          market; it is rounded up to a multiple of 100 satoshi, so that the six decimals shown are the exact amount.
        </p>
        <p>
          When you place the order, its rate is fixed for <strong>two hours</strong>. During this time you pay the
          amount shown. If an item is almost sold out, the time is 15 minutes, extended to two hours once we see at
          least half of the amount. The order page shows the remaining time.
        </p>
        <p>
          One <Link to="/promo">promo code</Link> can be used per order. It counts as used when the order is placed, and
          can be used again if the order expires.
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
          Every order has its own Bitcoin address. Send the exact amount to it in BTC on the Bitcoin network; we cannot
          recover other coins or coins sent on other networks. You pay the network fee.
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
            <strong>Too little:</strong> the order page shows the missing amount. If you send it before the time on that
            page ends, both payments count.
          </li>
          <li>
            <strong>Too much:</strong> the order is paid, and we refund the surplus to your address.
          </li>
          <li>
            <strong>Too late:</strong> we accept the payment if the order would cost at most 2 percent more bitcoin at
            the current rate. Otherwise you choose between a new quote and a refund.
          </li>
        </ul>
        <p>
          Nobody can reverse a confirmed Bitcoin payment. If the network itself drops a payment in a reorganization, the
          order counts as unpaid, and we hold delivery, until the payment is confirmed again.
        </p>
      </>
    ),
  },
  {
    id: 'delivery',
    title: 'Delivery',
    body: (
      <p>
        Shipping is free for all orders. For times and countries, see <Link to="/free-shipping">Free shipping</Link>.
        Parcels are insured, and we bear the risk until you receive them. Outside the United Kingdom, you pay import
        duties and taxes of your country. Devices remain our property until paid.
      </p>
    ),
  },
  {
    id: 'returns',
    title: 'Returns and warranty',
    body: (
      <p>
        You can return a device within 14 days of delivery. For returns and refunds, see{' '}
        <Link to="/returns">Returns</Link>. All devices are new and sealed and have the manufacturer’s warranty. These
        terms do not limit your statutory rights as a consumer.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Our liability',
    body: (
      <p>
        Our liability is unlimited for death and injury that we cause, for fraud, and where the law does not allow a
        limit. Otherwise it is limited to the price of the order. We are not liable for changes in the value of bitcoin,
        for errors of a wallet or an exchange, or for coins sent to an address other than that of your order.
      </p>
    ),
  },
  {
    id: 'law',
    title: 'Law, disputes and changes',
    body: (
      <>
        <p>
          The law of England and Wales applies. Consumers keep the protection of the law of their country. To resolve a
          problem, first open a ticket in your <Link to="/dashboard">profile</Link>; we reply within one business day.
        </p>
        <p>
          We may change these terms for future orders. The terms of an order are those of the day on which it was
          placed.
        </p>
      </>
    ),
  },
];

function TermsPage() {
  return (
    <TextPage
      title="Terms and conditions"
      lead="The terms that apply to your orders."
      updated="22 Nov 2026"
      sections={sections}
    />
  );
}

export default cacheFragment(TermsPage, () => '');

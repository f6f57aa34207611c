import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { TextSection } from '#src/storefront/layout/text-page.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Returns and refunds') },
  { name: 'description', content: 'Return within 14 days with a free label, and get a refund in Bitcoin.' },
];

const sections: readonly TextSection[] = [
  {
    id: 'fourteen-days',
    title: '14 days to change your mind',
    body: (
      <>
        <p>
          You can return a device within 14 days of delivery, without giving a reason. It must be complete, with box and
          accessories, and in resaleable condition. You may try it as you would in a shop.
        </p>
        <p>
          Before you send it, sign out of your Apple Account, turn off “Find My” and erase the device. We cannot accept
          a device that is locked to an account.
        </p>
        <p>For hygiene reasons, earphones and ear tips can be returned only if sealed.</p>
      </>
    ),
  },
  {
    id: 'how',
    title: 'How to return it',
    body: (
      <ol>
        <li>
          Open a ticket in your <Link to="/dashboard">profile</Link> with your order number. A reason is optional.
        </li>
        <li>We send you a free return label within one business day.</li>
        <li>Pack the device as you received it and drop it off within 14 days of the ticket. Keep the receipt.</li>
        <li>We inspect it on the day it arrives and let you know.</li>
      </ol>
    ),
  },
  {
    id: 'refund',
    title: 'Your refund',
    body: (
      <>
        <p>
          We refund <strong>the price in US dollars that you paid</strong>, in bitcoin, at the rate of the day on which
          we receive the device. If the price of bitcoin has risen since you paid, you receive less bitcoin; if it has
          fallen, more. The value in dollars is the same.
        </p>
        <p>
          We ask for a Bitcoin address in the ticket. Use an address of your own wallet: exchange addresses can change,
          and we never refund to the sending address. We send the refund within two business days and pay the network
          fee.
        </p>
        <p>Return a gift from a promo code with the order, unless the items you keep still qualify for it.</p>
      </>
    ),
  },
  {
    id: 'payments',
    title: 'Payment problems',
    body: (
      <ul>
        <li>
          <strong>You sent too much:</strong> the order is paid, and we refund the surplus to your address.
        </li>
        <li>
          <strong>You sent too little and do not want the order:</strong> we refund the received amount.
        </li>
        <li>
          <strong>Your payment arrived late:</strong> if the price of bitcoin has fallen by more than 2 percent, you
          choose between a new quote and a refund.
        </li>
      </ul>
    ),
  },
  {
    id: 'broken',
    title: 'Warranty and damage',
    body: (
      <p>
        All devices have the manufacturer’s warranty: one year for Apple devices, up to two for accessories of other
        brands. Your statutory rights apply in addition. If a device arrives damaged or fails later, open a ticket: we
        repair, replace or refund it and pay for shipping. We cover damage in transit; report it within a week and keep
        the packaging.
      </p>
    ),
  },
];

function ReturnsPage() {
  return (
    <TextPage
      title="Returns and refunds"
      lead="Return within 14 days with a free label. We refund in Bitcoin."
      updated="22 Nov 2026"
      sections={sections}
    />
  );
}

export default cacheFragment(ReturnsPage, () => '');

import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { TextSection } from '#src/storefront/layout/text-page.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { formatPageTitle } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Returns and refunds') },
  { name: 'description', content: '14 days to change your mind, a label from us, and a refund in Bitcoin.' },
];

const sections: readonly TextSection[] = [
  {
    id: 'fourteen-days',
    title: '14 days to change your mind',
    body: (
      <>
        <p>
          You can return a device within 14 days of its delivery, without giving a reason. It should be complete, with
          box and accessories, and in the condition in which you would want to buy it. Trying it on as in a shop is
          fine.
        </p>
        <p>
          Before you send it: sign out of your Apple Account, turn off “Find My” and erase the device. A device that is
          still locked to an account cannot be taken back.
        </p>
        <p>Earphones and earphone tips can be returned only while sealed, for reasons of hygiene.</p>
      </>
    ),
  },
  {
    id: 'how',
    title: 'How to return it',
    body: (
      <ol>
        <li>
          Open a ticket in your <Link to="/dashboard">profile</Link> and name the order. A reason helps us but is not
          needed.
        </li>
        <li>We send you a label, within one business day. The return costs you nothing.</li>
        <li>Pack the device as it came and hand it over within 14 days of the ticket. Keep the receipt.</li>
        <li>We look at it on the day on which it arrives and write to you.</li>
      </ol>
    ),
  },
  {
    id: 'refund',
    title: 'What you get back',
    body: (
      <>
        <p>
          We refund <strong>the price in US dollars that you paid</strong>, in bitcoin, at the rate of the day on which
          we receive the device. If bitcoin has risen since you paid, that is fewer coins than you sent; if it has
          fallen, it is more. The value in dollars is the same.
        </p>
        <p>
          We ask you for a Bitcoin address in the ticket. Give one of a wallet of your own: an exchange may have changed
          its addresses since, and we never send to where a payment came from. The refund leaves within two business
          days, and we pay the fee of the network.
        </p>
        <p>
          A gift that came with a promo code goes back with the order, unless what you keep would still have earned it.
        </p>
      </>
    ),
  },
  {
    id: 'payments',
    title: 'Payments that went wrong',
    body: (
      <ul>
        <li>
          <strong>You sent too much:</strong> the order is paid and we return the surplus, to the satoshi, to an address
          of yours.
        </li>
        <li>
          <strong>You sent too little and do not want to go on:</strong> we return what arrived.
        </li>
        <li>
          <strong>Your payment came after the time to pay:</strong> if the rate has moved by more than 2 percent to our
          disadvantage, you choose between a new quote and your money back.
        </li>
      </ul>
    ),
  },
  {
    id: 'broken',
    title: 'When something is broken',
    body: (
      <p>
        All devices carry the warranty of their manufacturer: one year for devices by Apple, up to two for accessories
        of other brands. Your rights as a consumer come on top. If it arrived damaged or fails later, open a ticket: we
        have it repaired, replace it or refund it, and pay for every parcel. Damage in transit is ours; please tell us
        within a week and keep the packaging.
      </p>
    ),
  },
];

function ReturnsPage() {
  return (
    <TextPage
      title="Returns and refunds"
      lead="Changed your mind? You have 14 days, we send the label, and the refund is in Bitcoin."
      updated="20 Nov 2026"
      sections={sections}
    />
  );
}

export default cacheFragment(ReturnsPage, () => '');

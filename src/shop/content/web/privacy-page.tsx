import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { TextSection } from '#src/storefront/layout/text-page.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { formatPageTitle, SHOP_ADDRESS } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Privacy') },
  { name: 'description', content: 'What data we store, why, for how long, and what is stored in your browser.' },
];

const sections: readonly TextSection[] = [
  {
    id: 'short',
    title: 'In short',
    body: (
      <ul>
        <li>We store only what an order needs.</li>
        <li>No advertising, analytics or tracking pixels. Pages load nothing from third parties.</li>
        <li>We do not sell data or create profiles.</li>
        <li>Browsing the shop sets no cookies.</li>
      </ul>
    ),
  },
  {
    id: 'data',
    title: 'What we store, and why',
    body: (
      <ul>
        <li>
          <strong>User name, email address and password</strong> (as a hash), for your account and our contract: until
          you delete the account.
        </li>
        <li>
          <strong>Your carts,</strong> to keep your items: as long as your account exists; guest carts for 30 days after
          the last change.
        </li>
        <li>
          <strong>Orders</strong> with name, delivery address, prices, Bitcoin address and transactions, for delivery,
          refunds, warranty and accounting records required by law: for six years after the end of the business year.
        </li>
        <li>
          <strong>Tickets and messages,</strong> with your name and email address, to reply to you: for three years
          after the last message.
        </li>
        <li>
          <strong>Reviews</strong> with your name, shown publicly with your consent: until you withdraw it.
        </li>
        <li>
          <strong>Sessions,</strong> with login time, type of browser and last visit, to keep you logged in: for at most
          30 days, 7 days without a visit, or until you log out.
        </li>
        <li>
          <strong>Your network address,</strong> to limit attempts and orders, which prevents password guessing, abuse
          and stock hoarding: for the duration of a limit, usually minutes and at most a day, and with an order until it
          is paid or closed. Our log stores it with security events, such as a login.
        </li>
      </ul>
    ),
  },
  {
    id: 'bitcoin',
    title: 'Bitcoin is public',
    body: (
      <p>
        Payments are recorded on the public Bitcoin blockchain permanently; nobody can delete them. The record contains
        amounts and addresses, but no names. Every order gets a new address, so that others cannot link your orders. Our
        server stores only public keys.
      </p>
    ),
  },
  {
    id: 'browser',
    title: 'What is stored in your browser',
    body: (
      <>
        <p>Three necessary cookies, not readable by scripts and sent only to us:</p>
        <ul>
          <li>
            <code>guest_user_id</code>: a random number that identifies your cart. Set when you first add an item
            without being logged in, deleted after 30 days or when you log out.
          </li>
          <li>
            <code>session</code> (<code>__Host-session</code> on https): links a login to this browser. Set when you log
            in, deleted after 30 days or when you log out.
          </li>
          <li>
            <code>device</code> (<code>__Host-device</code> on https): a random number that identifies a browser that
            has logged in before, so that strangers who guess your password cannot lock you out. Set when you log in or
            reset your password, deleted after 400 days.
          </li>
        </ul>
        <p>
          One cookie is readable by scripts: <code>time_zone</code>, the time zone of your device, to show local dates.
          Set when you log in, deleted when you log out.
        </p>
        <p>In local storage, which is not sent automatically:</p>
        <ul>
          <li>
            <code>apple_user_token</code>: your login.
          </li>
          <li>
            <code>cart_step</code>: your current checkout step. Also a cookie of the cart page.
          </li>
          <li>
            <code>cart_mark</code>: the number of items in your cart, for the dot in the header.
          </li>
          <li>
            <code>billing_draft</code>: what you entered in Billing Details, until you order or log out.
          </li>
          <li>
            <code>unsent_message_</code> and a random number: an unsent message to us, until it is sent or you log out.
          </li>
          <li>
            <code>delivery_place</code>: the country you selected under Location.
          </li>
          <li>
            <code>recent_products</code>: recently viewed products, until you log out. Your browser requests them from
            us without identifying you.
          </li>
        </ul>
        <p>None of this is for advertising or analytics, so there is no cookie banner.</p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Who receives data',
    body: (
      <p>
        The carrier receives your name, address and, if provided, phone number, to deliver the parcel. Our email
        provider delivers the messages we send you. Authorities receive only what the law requires. No payment provider
        is involved: you pay us directly.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          You can request a copy of your data; have it corrected, deleted or restricted; object to its use; and transfer
          it. In your <Link to="/dashboard/settings">settings</Link> you can change or download your data and delete
          your account. For anything else, <Link to="/contact">send us a message</Link> or write to {SHOP_ADDRESS}. We
          reply free of charge within a month, usually within days.
        </p>
        <p>
          Data that we must keep by law, such as invoices, is restricted instead of deleted. You can also complain to
          the Information Commissioner’s Office or the authority of your country.
        </p>
      </>
    ),
  },
];

function PrivacyPage() {
  return (
    <TextPage
      title="Privacy"
      lead="What data we store, why, and for how long."
      updated="22 Nov 2026"
      sections={sections}
    />
  );
}

export default cacheFragment(PrivacyPage, () => '');

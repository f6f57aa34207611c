import type { MetaFunction } from 'react-router';
import { Link } from 'react-router';
import { cacheFragment } from '#src/platform/pages/browser/fragment-cache.tsx';
import type { TextSection } from '#src/storefront/layout/text-page.tsx';
import { TextPage } from '#src/storefront/layout/text-page.tsx';
import { formatPageTitle, SHOP_ADDRESS } from '#src/shop/shop-identity.ts';

export const meta: MetaFunction = () => [
  { title: formatPageTitle('Privacy') },
  { name: 'description', content: 'What we know about you, why, for how long, and what is in your browser.' },
];

const sections: readonly TextSection[] = [
  {
    id: 'short',
    title: 'In short',
    body: (
      <ul>
        <li>We keep what an order needs and nothing else.</li>
        <li>No advertising, no analytics, no pixels: these pages load nothing from anybody else.</li>
        <li>We do not sell data and do not build profiles.</li>
        <li>Looking around leaves no cookie at all.</li>
      </ul>
    ),
  },
  {
    id: 'data',
    title: 'What we keep, and why',
    body: (
      <ul>
        <li>
          <strong>User name, email address and password</strong> (as a hash from which it cannot be read), for your
          account and the contract with you: until you delete the account.
        </li>
        <li>
          <strong>Your carts,</strong> so that you find them again: as long as the account; a guest’s for 30 days after
          its last change.
        </li>
        <li>
          <strong>Orders</strong> with name, delivery address, prices, Bitcoin address and transactions, for delivery,
          refunds, warranty and the books that the law makes us keep: for six years after the end of the business year.
        </li>
        <li>
          <strong>Tickets and messages,</strong> with the name and email address you give, to answer you: for three
          years after the last message.
        </li>
        <li>
          <strong>Reviews</strong> with the name you give, to show them to others with your consent: until you take them
          back.
        </li>
        <li>
          <strong>Sessions,</strong> that is when you signed in, with which kind of browser, and when you were last
          here, to keep you signed in: for 30 days at most, 7 without a visit, or until you log out.
        </li>
        <li>
          <strong>Your network address,</strong> to count attempts and orders, so that nobody can guess passwords, flood
          the shop or reserve all of its stock: as long as a limit runs, minutes as a rule and a day at most, and with
          an order until it is paid or over. Our log holds it beside security events, such as a sign-in.
        </li>
      </ul>
    ),
  },
  {
    id: 'bitcoin',
    title: 'Bitcoin is public',
    body: (
      <p>
        A payment is written to the Bitcoin blockchain for everybody to see, for ever; neither you nor we can delete it.
        It holds amounts and addresses, no names. Every order gets an address that was never used before, so that from
        outside nobody can tell your orders from those of others. We keep only the public half of our keys on the
        server.
      </p>
    ),
  },
  {
    id: 'browser',
    title: 'What is in your browser',
    body: (
      <>
        <p>Three cookies, all needed for what you ask us to do, all unreadable to scripts and sent to us alone:</p>
        <ul>
          <li>
            <code>guest_user_id</code>: a random number that your cart goes by. Set when you first put something into it
            without being signed in, gone after 30 days or when you log out.
          </li>
          <li>
            <code>session</code> (<code>__Host-session</code> on https): proves that a login belongs to this browser.
            Set when you log in, gone after 30 days or when you log out.
          </li>
          <li>
            <code>device</code> (<code>__Host-device</code> on https): a random number by which we recognise a browser
            that logged in before, so that strangers who guess at your password cannot lock you out. Set when you log in
            or reset your password, gone after 400 days.
          </li>
        </ul>
        <p>
          And one that scripts can read: <code>time_zone</code>, the time zone of your device, so that dates come as you
          read them. Set while you are logged in, gone when you log out.
        </p>
        <p>And in its local storage, which is not sent along with requests by itself:</p>
        <ul>
          <li>
            <code>apple_user_token</code>: your login.
          </li>
          <li>
            <code>cart_step</code>: at which step of the checkout you are. It is a cookie of the cart page too.
          </li>
          <li>
            <code>cart_mark</code>: how many lines your cart has, for the dot in the header.
          </li>
          <li>
            <code>billing_draft</code>: what you typed in Billing Details, until you order or log out.
          </li>
          <li>
            <code>unsent_message_</code> and a random number: a message to us that could not be sent yet, until it is
            sent or you log out.
          </li>
          <li>
            <code>delivery_place</code>: the country you chose under Location.
          </li>
          <li>
            <code>recent_products</code>: the last products you looked at, until you log out. To show them again your
            browser asks us for these products without saying who you are.
          </li>
        </ul>
        <p>As none of this serves advertising or analytics, there is no banner to click away.</p>
      </>
    ),
  },
  {
    id: 'others',
    title: 'Who else learns of it',
    body: (
      <p>
        The carrier learns name, address and, if you gave one, phone number, to deliver the parcel. Our mail provider
        carries the messages we send you. Authorities get what the law compels us to give, and nothing on a mere
        request. No payment provider is involved: you pay us directly.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          You may ask what we know about you and get a copy; have it corrected, deleted or restricted; object; and take
          your data elsewhere. Your <Link to="/dashboard/settings">settings</Link> change them, download all of them and
          delete the account, at once. For anything else <Link to="/contact">send us a message</Link> or write to{' '}
          {SHOP_ADDRESS}. We answer within a month, as a rule within days, and it costs nothing.
        </p>
        <p>
          What the law makes us keep, such as invoices, we block instead of deleting it. You may also complain to the
          Information Commissioner’s Office, or to the authority of your country.
        </p>
      </>
    ),
  },
];

function PrivacyPage() {
  return (
    <TextPage
      title="Privacy"
      lead="What we know about you, why we know it, and when we forget it."
      updated="20 Nov 2026"
      sections={sections}
    />
  );
}

export default cacheFragment(PrivacyPage, () => '');

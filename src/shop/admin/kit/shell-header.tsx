import type { SubmitEvent } from 'react';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import { ROLE_NAMES, isRole } from '#src/shop/permissions.ts';
import { useDemo } from '#src/storefront/layout/demo-bar.tsx';
import { Logo } from '#src/storefront/layout/logo.tsx';
import { signOut } from '#src/storefront/session/session.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import type { Entry } from './back-office-map.ts';
import { RailIcon } from './rail-icon.tsx';
import styles from './shell-header.module.css';
import { StaleNotice } from './stale-notice.tsx';
import { ShellSearch } from './shell-search.tsx';
import { useRole } from './use-may-use.ts';
import { describeWaiting, useWaiting } from './waiting-counts.ts';

const WAITING_ID = 'shell-waiting';
const ACCOUNT_ID = 'shell-account';

/** The shop's name, what waits, the account, and the way to the shop. */
export function ShellHeader({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <header className={styles.header}>
      <Logo to="/admin" />
      <SearchButton />
      <div className={styles.end}>
        <WaitingMenu entries={entries} />
        <Link to="/" className={classNames(styles.item, styles.shop)}>
          <RailIcon name="shop" />
          <span className={styles.text}>View shop</span>
        </Link>
        <AccountMenu />
      </div>
      <StaleNotice />
    </header>
  );
}

/** Opens the search, as Ctrl+K does. */
function SearchButton() {
  const isHydrated = useHydrated();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      // A dialog is an answer that somebody owes, or the search itself.
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setIsOpen(true);
    };
    document.addEventListener('keydown', open);
    return () => document.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.search}
        disabled={!isHydrated}
        aria-keyshortcuts="Control+K"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="search" />
        <span className={styles.text}>Search</span>
        <kbd className={styles.keys}>Ctrl K</kbd>
      </button>
      <ShellSearch isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

function WaitingMenu({ entries }: { readonly entries: readonly Entry[] }) {
  const counts = useWaiting();
  const waiting = entries
    .flatMap(({ sections }) => sections)
    .flatMap(({ to, text, waiting: kind }) => {
      const count = kind === undefined ? 0 : (counts?.[kind] ?? 0);
      return kind === undefined || count === 0 ? [] : [{ to, text, kind, count }];
    });
  const total = waiting.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <button type="button" className={styles.item} popoverTarget={WAITING_ID}>
        <RailIcon name="bell" />
        <span className="visually-hidden">What waits</span>
        {total > 0 && (
          <span className={styles.number}>
            {formatNumber(total)}
            <span className="visually-hidden"> in all</span>
          </span>
        )}
      </button>
      <div id={WAITING_ID} popover="auto" className={styles.menu}>
        <p className={classNames('strong', styles.title)}>What waits</p>
        {waiting.length === 0 ? (
          <p className={styles.none}>{counts === null ? 'Not loaded yet.' : 'Nothing waits.'}</p>
        ) : (
          <ul>
            {waiting.map(({ to, text, kind, count }) => (
              <li key={kind}>
                <Link to={to} className={styles.choice}>
                  {text}
                  <span>{`${formatNumber(count)} ${describeWaiting(kind)}`}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function AccountMenu() {
  const role = useRole();
  const demo = useDemo();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setIsLeaving(true);
    void signOut().then(() => navigate('/login'));
  };
  return (
    <>
      <button type="button" className={styles.item} popoverTarget={ACCOUNT_ID}>
        <RailIcon name="account" />
        <span className={styles.text}>{isRole(role) ? ROLE_NAMES[role] : 'Account'}</span>
      </button>
      <div id={ACCOUNT_ID} popover="auto" className={styles.menu}>
        <ul>
          <li className={styles.phone}>
            <Link to="/" className={styles.choice}>
              View shop
            </Link>
          </li>
          <li>
            <Link to="/dashboard" className={styles.choice}>
              Profile
            </Link>
          </li>
          {demo !== null && (
            <li>
              <Link to="/dev/mail" className={styles.choice}>
                Demo mailbox
              </Link>
            </li>
          )}
          {demo?.hasWallet === true && (
            <li>
              <Link to="/dev/wallet" className={styles.choice}>
                Demo wallet
              </Link>
            </li>
          )}
          <li>
            <Link to="/admin/security" className={styles.choice}>
              Security of your account
            </Link>
          </li>
        </ul>
        <form onSubmit={leave}>
          <Button type="submit" variant="secondary" width="full" disabled={!isHydrated} isBusy={isLeaving}>
            Log out
          </Button>
        </form>
      </div>
    </>
  );
}

/** Frame of the back office: a header, a rail with its parts, and the pages of a part as tabs. */
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { formatNumber } from '#src/shop/format-number.ts';
import { findPlace, listEntries } from './back-office-map.ts';
import type { Entry, Place } from './back-office-map.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { RailIcon } from './rail-icon.tsx';
import { ShellHeader } from './shell-header.tsx';
import styles from './shell.module.css';
import { useRole } from './use-may-use.ts';
import { describeWaiting, useWaiting } from './waiting-counts.ts';

/** On phones the others are behind a button. */
const PHONE_ENTRIES = new Set(['Home', 'Orders', 'Products', 'Support']);
const MORE_ID = 'shell-more';

export function Shell({ children }: { readonly children: ReactNode }) {
  const entries = listEntries(useRole());
  const { pathname } = useLocation();
  const place = findPlace(entries, pathname);
  return (
    <div className={styles.shell}>
      <ShellHeader entries={entries} />
      <nav className={styles.rail} aria-label="Back office">
        <ul>
          {entries.map((entry) => (
            <EntryLink key={entry.text} entry={entry} isCurrent={entry === place?.entry} />
          ))}
        </ul>
      </nav>
      <main id="main" tabIndex={-1} className={styles.main}>
        {place !== null && place.entry.sections.length > 1 && <Tabs key={pathname} place={place} />}
        {children}
        <PasswordDialog />
      </main>
      <PhoneBar entries={entries} current={place?.entry ?? null} />
    </div>
  );
}

interface EntryLinkProps {
  readonly entry: Entry;
  readonly isCurrent: boolean;
}

function EntryLink({ entry: { icon, sections, text }, isCurrent }: EntryLinkProps) {
  const { pathname } = useLocation();
  const [{ to }] = sections;
  const current = pathname === to ? 'page' : 'true';
  return (
    <li>
      <Link to={to} prefetch="intent" className={styles.entry} aria-current={isCurrent ? current : undefined}>
        <RailIcon name={icon} />
        {text}
      </Link>
      <Total sections={sections} />
    </li>
  );
}

/** What waits on the pages of an entry. Beside the link, whose name stays the name of its page. */
function Total({ sections }: Pick<Entry, 'sections'>) {
  const counts = useWaiting();
  const kinds = sections.flatMap(({ waiting }) => (waiting !== undefined && counts?.[waiting] ? [waiting] : []));
  const [kind] = kinds;
  if (kind === undefined) return null;
  return (
    <Number
      count={kinds.reduce((sum, one) => sum + (counts?.[one] ?? 0), 0)}
      of={kinds.length === 1 ? describeWaiting(kind) : 'waiting'}
    />
  );
}

function Number({ count, of }: { readonly count: number; readonly of: string }) {
  return (
    <span className={styles.number}>
      {formatNumber(count)}
      <span className="visually-hidden"> {of}</span>
    </span>
  );
}

function Tabs({ place: { entry, section } }: { readonly place: Place }) {
  const counts = useWaiting();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On a phone the tab of the open page may be out of view.
    const tab = list.current?.querySelector('[aria-current]')?.parentElement;
    if (list.current && tab)
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, []);
  return (
    <nav className={styles.tabs} aria-label={`Pages of ${entry.text}`}>
      <ul ref={list}>
        {entry.sections.map(({ to, text, waiting }) => (
          <li key={to}>
            <Link
              to={to}
              prefetch="intent"
              className={styles.tab}
              aria-current={to === section.to ? 'page' : undefined}
            >
              {text}
            </Link>
            {waiting !== undefined && counts?.[waiting] ? (
              <Number count={counts[waiting]} of={describeWaiting(waiting)} />
            ) : null}
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface PhoneBarProps {
  readonly entries: readonly Entry[];
  readonly current: Entry | null;
}

/** The bar at the bottom of a phone. Works without a script. */
function PhoneBar({ entries, current }: PhoneBarProps) {
  const shown = entries.filter(({ text }) => PHONE_ENTRIES.has(text));
  const others = entries.filter((entry) => !shown.includes(entry));
  return (
    <nav className={styles.bar} aria-label="Back office on phones">
      <ul>
        {shown.map((entry) => (
          <EntryLink key={entry.text} entry={entry} isCurrent={entry === current} />
        ))}
        <li>
          <button
            type="button"
            className={styles.entry}
            popoverTarget={MORE_ID}
            aria-current={(current !== null && !shown.includes(current)) || undefined}
          >
            <RailIcon name="more" />
            More
          </button>
        </li>
      </ul>
      <ul id={MORE_ID} popover="auto" className={styles.sheet}>
        {others.map((entry) => (
          <EntryLink key={entry.text} entry={entry} isCurrent={entry === current} />
        ))}
      </ul>
    </nav>
  );
}

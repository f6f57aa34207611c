/** One search over the back office, by the combobox pattern: the focus stays in the field. */
import type { KeyboardEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { Icon } from '#src/ui/graphics/icons.tsx';
import { findEverywhere, findPages, isSpecific } from './find-everywhere.ts';
import type { Finding } from './find-everywhere.ts';
import { readRecent, remember } from './recent-findings.ts';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './shell-search.module.css';
import { useFound } from './use-found.ts';
import { useRole } from './use-may-use.ts';

/** The lists search no longer text. */
const MAX_QUERY = 200;

interface ShellSearchProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ShellSearch({ isOpen, onClose }: ShellSearchProps) {
  return (
    <Dialog title="Search" isOpen={isOpen} onClose={onClose}>
      {isOpen && <SearchField onDone={onClose} />}
    </Dialog>
  );
}

/** What the typed text finds; without one, what was opened last. */
function useFindings(wanted: string) {
  const role = useRole();
  const isAsked = isSpecific(wanted);
  const { result, hasFailed } = useFound(isAsked ? wanted : '', (text, signal) => findEverywhere(role, text, signal));
  const findings = wanted === '' ? readRecent() : [...findPages(role, wanted), ...(result?.findings ?? [])];
  const describe = (): string => {
    if (wanted === '') return findings.length === 0 ? 'Orders, customers, products, tickets, invoices, pages.' : '';
    if (!isAsked) return findings.length === 0 ? 'Type three letters or a number.' : '';
    if (hasFailed) return 'The search failed. Check your connection and type again.';
    if (result === null) return 'Searching…';
    if (result.failed.length > 0) return `Not searched: ${result.failed.join(', ')}.`;
    return findings.length === 0 ? 'Nothing found.' : '';
  };
  return { findings, state: describe() };
}

function SearchField({ onDone }: { readonly onDone: () => void }) {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const wanted = query.trim().slice(0, MAX_QUERY);
  const { findings, state } = useFindings(wanted);
  useEffect(() => input.current?.focus(), []);

  const open = (finding: Finding): void => {
    remember(finding);
    onDone();
    void navigate(finding.to);
  };
  const press = (event: KeyboardEvent): void => {
    const { length } = findings;
    const chosen = findings[active];
    if (event.key === 'ArrowDown' && length > 0) setActive((active + 1) % length);
    else if (event.key === 'ArrowUp' && length > 0) setActive((active + length - 1) % length);
    else if (event.key === 'Enter' && chosen !== undefined && !event.nativeEvent.isComposing) open(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <search className={styles.search}>
      <div className={styles.box}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          className={styles.input}
          placeholder="Number, name, SKU, address or page"
          aria-label="Search the back office"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={findings.length > 0}
          aria-controls={listId}
          aria-activedescendant={findings.length > 0 ? formatOptionId(listId, active) : undefined}
          value={query}
          onChange={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setActive(0);
          }}
          onKeyDown={press}
        />
      </div>
      <FindingList
        id={listId}
        name={wanted === '' ? 'Opened last' : 'Findings'}
        findings={findings}
        active={active}
        onOpen={open}
      />
      <output className="muted small">{state}</output>
    </search>
  );
}

const formatOptionId = (listId: string, at: number): string => `${listId}-${at}`;

interface FindingListProps {
  readonly id: string;
  readonly name: string;
  readonly findings: readonly Finding[];
  /** Index of the option that Enter opens. */
  readonly active: number;
  readonly onOpen: (finding: Finding) => void;
}

function FindingList({ id, name, findings, active, onOpen }: FindingListProps) {
  useEffect(() => {
    document.getElementById(formatOptionId(id, active))?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the list of a combobox
    <div id={id} role="listbox" aria-label={name} className={styles.list}>
      {findings.map((finding, at) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are handled by the field
        <div
          key={`${finding.group} ${finding.to} ${finding.text}`}
          id={formatOptionId(id, at)}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the option of a combobox
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={styles.finding}
          onClick={() => onOpen(finding)}
        >
          <span className="wrap-anywhere">{finding.text}</span>
          <span className={classNames('muted small', styles.detail)}>{finding.detail}</span>
          <span className={classNames('muted small', styles.group)}>{finding.group}</span>
        </div>
      ))}
    </div>
  );
}

import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { Badge } from '#src/ui/display/badge.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Dialog } from '#src/ui/dialog/dialog.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import { Fact, Facts } from '#src/ui/display/facts.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { CONFLICT_TEXTS as TEXTS, describeConflict, describeValues } from './describe-conflict.ts';
import type { ConflictField } from './describe-conflict.ts';
import styles from './conflict-dialog.module.css';
import type { ConflictState } from './use-document.ts';

/** What somebody else changed, and the choice between both versions. Closing it decides nothing. */
export function Conflict({ conflict }: { readonly conflict: ConflictState }) {
  const me = useSession(({ user }) => user?.username ?? null);
  const { title, notice, decided, at, fields } = describeConflict(conflict, me);
  const { theirs, isDecided, isOpen, open, close, keepMine, takeTheirs } = conflict;
  const review = useFocusAfterDecision(isOpen);
  return (
    <>
      <Notice
        role="alert"
        actions={
          !isDecided && (
            <Button ref={review} variant="secondary" onClick={open}>
              {TEXTS.review}
            </Button>
          )
        }
      >
        {isDecided ? decided : notice}
      </Notice>
      <Dialog
        title={title}
        isOpen={isOpen}
        onClose={close}
        actions={
          theirs === null ? (
            <Button onClick={() => void reloadPage()}>{TEXTS.tryAgain}</Button>
          ) : (
            <>
              <Button variant="secondary" onClick={takeTheirs}>
                {TEXTS.takeTheirs}
              </Button>
              <Button onClick={keepMine}>{TEXTS.keepMine}</Button>
            </>
          )
        }
      >
        <p className="muted">
          {at !== null && (
            <span>
              <Moment at={at} shows="moment" />.{' '}
            </span>
          )}
          <span>{TEXTS.meanwhile}</span>
        </p>
        <Fields fields={fields} />
        {theirs === null ? (
          <p role="alert">{TEXTS.notLoaded}</p>
        ) : (
          <Facts>
            <Fact label={TEXTS.keepMine}>{TEXTS.keepMineMeaning}</Fact>
            <Fact label={TEXTS.takeTheirs}>{TEXTS.takeTheirsMeaning}</Fact>
          </Facts>
        )}
      </Dialog>
    </>
  );
}

/**
 * The button that saved was disabled as the dialog opened, so it lost the focus. Closing moves the focus to the notice, a
 * decision to the status of the form.
 */
function useFocusAfterDecision(isOpen: boolean): RefObject<HTMLButtonElement | null> {
  const review = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) focusIfLost(review.current);
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(() => {
    const form = review.current?.closest('form');
    return () => focusIfLost(form?.querySelector<HTMLElement>('[data-status]'));
  }, []);
  return review;
}

/** A closed dialog keeps the focus until the next frame. */
function focusIfLost(element: HTMLElement | null | undefined): void {
  if (document.activeElement?.matches('body, dialog:not([open]), dialog:not([open]) *') === true) element?.focus();
}

function Fields({ fields }: { readonly fields: readonly ConflictField[] }) {
  if (fields.length === 0) return <p>{TEXTS.unknown}</p>;
  return (
    <Section title={TEXTS.fields} level={3} size={16} gap={8}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls must be reachable by keyboard */}
      <ul className={styles.fields} tabIndex={0} aria-label={TEXTS.fields}>
        {fields.map(({ label, isMine, values }) => (
          <li key={label}>
            <span className="strong wrap-anywhere">{label}</span>
            {isMine && <Badge tone="waiting">{TEXTS.alsoMine}</Badge>}
            {values !== null && (
              <span className={classNames('muted small tabular wrap-anywhere', styles.values)}>
                {describeValues(values)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

import { Moment } from '#src/storefront/moment.tsx';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { useSession } from '#src/storefront/session/session.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { CONFLICT_TEXTS as TEXTS, describeConflict } from './describe-conflict.ts';
import type { ConflictField } from './describe-conflict.ts';
import styles from './conflict-dialog.module.css';
import type { ConflictState } from './use-document.ts';

/** What somebody else changed, and the choice between both versions. Closing it decides nothing. */
export function Conflict({ conflict }: { readonly conflict: ConflictState }) {
  const me = useSession(({ user }) => user?.username ?? null);
  const { title, notice, decided, at, fields } = describeConflict(conflict, me);
  const { theirs, isDecided, isOpen, open, close, keepMine, takeTheirs } = conflict;
  return (
    <>
      <div role="alert" className={styles.notice}>
        <p>{isDecided ? decided : notice}</p>
        {!isDecided && (
          <Button variant="secondary" onClick={open}>
            {TEXTS.review}
          </Button>
        )}
      </div>
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
        <p className={styles.muted}>
          {at !== null && (
            <>
              <Moment at={at} shows="moment" />.{' '}
            </>
          )}
          {TEXTS.meanwhile}
        </p>
        <Fields fields={fields} />
        {theirs === null ? (
          <p role="alert">{TEXTS.notLoaded}</p>
        ) : (
          <dl className={styles.choices}>
            <dt>{TEXTS.keepMine}</dt>
            <dd>{TEXTS.keepMineMeaning}</dd>
            <dt>{TEXTS.takeTheirs}</dt>
            <dd>{TEXTS.takeTheirsMeaning}</dd>
          </dl>
        )}
      </Dialog>
    </>
  );
}

function Fields({ fields }: { readonly fields: readonly ConflictField[] }) {
  if (fields.length === 0) return <p>{TEXTS.unknown}</p>;
  return (
    <section className={styles.changed}>
      <h3>{TEXTS.fields}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls must be reachable by keyboard */}
      <ul className={styles.fields} tabIndex={0} aria-label={TEXTS.fields}>
        {fields.map(({ label, isMine, values }) => (
          <li key={label}>
            <span className={styles.label}>{label}</span>
            {isMine && <Badge tone="waiting">{TEXTS.alsoMine}</Badge>}
            {values !== null && (
              <span className={styles.values}>
                {values.before} → {values.after}
                {values.mine !== null && ` · yours: ${values.mine}`}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { MAX_MESSAGE_LENGTH } from '#src/shop/support/tickets/check-ticket.ts';
import type { TicketNote } from '#src/shop/support/tickets/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { useQuickAction } from '../../kit/quick-action.tsx';
import actionStyles from '../../kit/actions.module.css';
import styles from './ticket-page.module.css';

interface TicketNotesProps {
  readonly ticketId: string;
  readonly notes: readonly TicketNote[];
}

/** Internal notes of a ticket. */
export function TicketNotes({ ticketId, notes }: TicketNotesProps) {
  const isHydrated = useHydrated();
  const { isBusy, run } = useQuickAction();
  const [text, setText] = useState('');
  const params = { id: ticketId };
  const add = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim() === '') return;
    if (await run(() => call('POST /support/tickets/{id}/notes', { params, body: { text } }))) setText('');
  };
  return (
    <section className={actionStyles.actions} aria-labelledby="notes-title">
      <h2 id="notes-title">Internal notes</h2>
      <p className={actionStyles.muted}>Only staff see notes. Customers never get them, not even with their data.</p>
      {notes.length > 0 && (
        <ol>
          {notes.map((note) => (
            <li key={note.id} className={styles.note}>
              <div className={styles.head}>
                <p className={styles.muted}>
                  {note.author}, <Moment at={note.created_at} shows="moment" />
                </p>
                <ConfirmedAction
                  button="Delete note"
                  variant="quaternary"
                  isDestructive
                  question="Delete this note?"
                  meaning={<p>You can’t undo this.</p>}
                  confirm="Delete note"
                  done="Note deleted"
                  onConfirm={() =>
                    call('DELETE /support/tickets/{id}/notes/{note_id}', { params: { ...params, note_id: note.id } })
                  }
                />
              </div>
              <p className={styles.text}>{note.text}</p>
            </li>
          ))}
        </ol>
      )}
      <form className={styles.form} onSubmit={(event) => void add(event)}>
        <TextArea
          label="New note"
          rows={3}
          maxLength={MAX_MESSAGE_LENGTH}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Button type="submit" variant="secondary" isBusy={isBusy} disabled={!isHydrated || text.trim() === ''}>
          Add note
        </Button>
      </form>
    </section>
  );
}

import type { OrderNote } from '#src/shop/orders/desk/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import actions from '../../kit/actions.module.css';
import { readText } from '../../kit/form-text.ts';
import styles from './ship.module.css';

const MAX_NOTE = 2_000;

interface OrderNotesProps {
  readonly orderId: string;
  /** Oldest first. */
  readonly notes: readonly OrderNote[];
}

/** OPS-13: internal notes, which customers never see. */
export function OrderNotes({ orderId: id, notes }: OrderNotesProps) {
  return (
    <section className={actions.actions} aria-labelledby="notes-title">
      <h2 id="notes-title">Internal notes</h2>
      {notes.length > 0 && (
        <ol className={styles.notes}>
          {notes.map((note) => (
            <li key={note.id} className={styles.note}>
              <div>
                <p className={styles.text}>{note.text}</p>
                <p className={actions.muted}>
                  {note.by ?? 'Deleted account'} · <Moment at={note.at} shows="moment" />
                </p>
              </div>
              <ConfirmedAction
                button="Delete"
                variant="quaternary"
                isDestructive
                question="Delete this note?"
                meaning={<p className={styles.text}>{note.text}</p>}
                confirm="Delete"
                done="Note deleted"
                onConfirm={() => call('DELETE /orders/{id}/notes/{note_id}', { params: { id, note_id: note.id } })}
              />
            </li>
          ))}
        </ol>
      )}
      <ConfirmedAction
        button="Add note"
        question="Add this note?"
        meaning={<p>All staff see it. The customer does not.</p>}
        confirm="Add note"
        done="Note added"
        onConfirm={(data) =>
          call('POST /orders/{id}/notes', { params: { id }, body: { text: readText(data, 'note') } })
        }
      >
        <TextArea label="Note, for staff only" name="note" rows={3} required maxLength={MAX_NOTE} />
      </ConfirmedAction>
    </section>
  );
}

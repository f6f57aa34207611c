import type { OrderNote } from '#src/shop/orders/desk/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Moment } from '#src/storefront/moment.tsx';
import { Section } from '#src/ui/layout/section.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { Lines } from '#src/ui/layout/lines.ts';
import { Row } from '#src/ui/layout/row.ts';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { DirectAction } from '../../kit/direct-action.tsx';
import { readText } from '../../kit/form-text.ts';

const MAX_NOTE = 2_000;

interface OrderNotesProps {
  readonly orderId: string;
  /** Oldest first. */
  readonly notes: readonly OrderNote[];
}

/** OPS-13: internal notes, which customers never see. */
export function OrderNotes({ orderId: id, notes }: OrderNotesProps) {
  return (
    <Section title="Internal notes" gap={12}>
      {notes.length > 0 && (
        <Lines as="ol">
          {notes.map((note) => (
            <Row as="li" key={note.id} gap={16} rowGap={4} align="start" justify="between">
              <div>
                <p className="multiline">{note.text}</p>
                <p className="muted measure">
                  {note.by ?? 'Deleted account'} · <Moment at={note.at} shows="moment" />
                </p>
              </div>
              <ConfirmedAction
                button="Delete"
                variant="quaternary"
                isDestructive
                question="Delete this note?"
                meaning={<p className="multiline">{note.text}</p>}
                confirm="Delete"
                done="Note deleted"
                onConfirm={() => call('DELETE /orders/{id}/notes/{note_id}', { params: { id, note_id: note.id } })}
              />
            </Row>
          ))}
        </Lines>
      )}
      <DirectAction
        button="Add note"
        meaning="All staff see it. The customer does not."
        done="Note added"
        onSubmit={(data) => call('POST /orders/{id}/notes', { params: { id }, body: { text: readText(data, 'note') } })}
      >
        <TextArea label="Note, for staff only" name="note" rows={3} required maxLength={MAX_NOTE} />
      </DirectAction>
    </Section>
  );
}

import { MAX_REPLY_LENGTH } from '#src/shop/reviews/check-review.ts';
import type { ModeratedReview } from '#src/shop/reviews/contract.ts';
import { call } from '#src/storefront/call.ts';
import { Disclosure } from '#src/ui/display/disclosure.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { ConfirmedAction } from '../../kit/confirmed-action.tsx';
import { DocumentActions, DocumentForm } from '../../kit/document/document-form.tsx';
import { useDocument } from '../../kit/document/use-document.ts';
import styles from './reviews-page.module.css';

const toStored = ({ reply }: Pick<ModeratedReview, 'reply'>) => ({ version: null, value: { text: reply ?? '' } });

/** The shop's public reply to a review. */
export function ReviewReplyForm({ review }: { readonly review: ModeratedReview }) {
  const params = { id: review.id };
  const seen = review.reply;
  const isShown = review.state === 'approved';
  const { value, set, messageOf, state } = useDocument({
    name: `review_reply_${review.id}`,
    what: 'this reply',
    stored: toStored(review),
    read: ({ text }) =>
      text.trim() === '' ? { ok: false, problems: { text: 'Enter a reply.' } } : { ok: true, body: { text } },
    send: async (body, { base }) => {
      const request = { params, body: { ...body, seen: base.text === '' ? null : base.text } };
      return toStored(await call('PUT /support/reviews/{id}/reply', request));
    },
    saved: 'Reply published',
  });
  return (
    <Disclosure summary={seen === null ? 'Reply publicly' : 'Public reply'} open={seen !== null}>
      {isShown ? (
        <DocumentForm
          document={state}
          isInList
          gap={12}
          className={styles.form}
          actions={<DocumentActions document={state} save={seen === null ? 'Publish reply' : 'Save reply'} isQuiet />}
        >
          <TextArea
            label={`Reply to ${review.name}`}
            rows={3}
            maxLength={MAX_REPLY_LENGTH}
            hint="Everybody sees it below the review."
            value={value.text}
            message={messageOf('text')}
            onChange={(event) => set({ text: event.currentTarget.value })}
          />
        </DocumentForm>
      ) : (
        <>
          <p className="multiline measure">{seen}</p>
          <p className="muted small">Nobody sees it while the review is not approved.</p>
        </>
      )}
      {seen !== null && (
        <ConfirmedAction
          button="Remove reply"
          variant="quaternary"
          isDestructive
          question="Remove this reply?"
          meaning={<p>The review stays. You can’t undo this.</p>}
          confirm="Remove reply"
          done="Reply removed"
          onConfirm={() => call('POST /support/reviews/{id}/remove-reply', { params, body: { seen } })}
        />
      )}
    </Disclosure>
  );
}

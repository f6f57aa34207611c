import { useEffect } from 'react';
import { readField } from '#src/ui/form/read-field.ts';
import { checkMessage, MAX_LENGTHS, MESSAGE_LABELS } from '../check-message.ts';
import type { MessageDraft, MessageField } from '../check-message.ts';
import { call } from '#src/storefront/call.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import type { FormFailure } from '#src/ui/form/use-form.ts';
import { LegalLink } from '#src/storefront/layout/legal-link.tsx';
import { Button } from '#src/ui/controls/button.tsx';
import { Field } from '#src/ui/fields/field.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { Notice } from '#src/ui/display/notice.tsx';
import { classNames } from '#src/ui/styles/class-names.ts';
import styles from './contact-page.module.css';
import { readDraft, toFailure } from './message-form.ts';

interface ContactFormProps {
  /** Values and errors of a submission without JavaScript. */
  readonly draft: MessageDraft | null;
  readonly refused: FormFailure | null;
  readonly onSent: () => void;
}

export function ContactForm({ draft, refused, onSent }: ContactFormProps) {
  const {
    ref,
    submit,
    isBusy,
    failure,
    bind: bindField,
  } = useCallForm({
    log: 'Sending the message failed',
    read: (form) => new FormData(form),
    check: (data) => checkMessage(readDraft(data)),
    send: async (data) => {
      await call('POST /contact', { body: { ...readDraft(data), subject: readField(data, 'subject') } });
      onSent();
    },
    describe: toFailure,
    refused,
  });

  useEffect(() => {
    // The page validates; without JavaScript the browser does.
    if (ref.current) ref.current.noValidate = true;
  }, [ref]);

  const bind = (name: MessageField) => ({
    ...bindField(name),
    label: MESSAGE_LABELS[name],
    defaultValue: draft?.[name],
    required: true,
  });

  return (
    <form ref={ref} method="post" action="/contact" className={styles.form} onSubmit={submit}>
      {failure !== null && (
        <Notice role="alert" tone="bad" className={classNames('strong', styles.failure)}>
          {failure}
        </Notice>
      )}
      <Field autoComplete="given-name" maxLength={MAX_LENGTHS.firstName} {...bind('firstName')} />
      <Field autoComplete="family-name" maxLength={MAX_LENGTHS.lastName} {...bind('lastName')} />
      <Field
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={MAX_LENGTHS.email}
        className={styles.wide}
        {...bind('email')}
      />
      {/* No maxLength: pasted text must not be cut off silently. */}
      <TextArea className={styles.wide} {...bind('message')} />
      {/* Honeypot: robots send every field. Browsers and password managers fill in no read-only one. */}
      <div className="visually-hidden" aria-hidden="true">
        <label>
          Leave this empty
          <input
            name="subject"
            readOnly
            tabIndex={-1}
            autoComplete="off"
            data-1p-ignore=""
            data-bwignore=""
            data-lpignore="true"
            data-form-type="other"
          />
        </label>
      </div>
      <div className={styles.end}>
        <Button type="submit" isBusy={isBusy}>
          Send Message
        </Button>
        <p>
          We use it only to reply to you: <LegalLink of="Privacy">privacy</LegalLink>.
        </p>
      </div>
    </form>
  );
}

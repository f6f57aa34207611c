import { useEffect, useRef, useState } from 'react';
import type { SubmitEvent } from 'react';
import { readField } from '#src/shop/accounts/web/read-field.ts';
import { checkMessage, MAX_LENGTHS, MESSAGE_FIELDS, MESSAGE_LABELS } from '../check-message.ts';
import type { MessageDraft, MessageField } from '../check-message.ts';
import { isRefusal } from '#src/storefront/api.ts';
import { call } from '#src/storefront/call.ts';
import { logError } from '#src/ui/log-error.ts';
import { LegalLink } from '#src/storefront/layout/legal-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { Field } from '#src/ui/field.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import styles from './contact-page.module.css';
import { readDraft, toFailure } from './message-form.ts';
import type { MessageFailure } from './message-form.ts';

interface ContactFormProps {
  /** Values and errors of a submission without JavaScript. */
  readonly draft: MessageDraft | null;
  readonly refused: MessageFailure | null;
  readonly onSent: () => void;
}

const NO_FAILURE: MessageFailure = { failure: null, errors: {} };

export function ContactForm({ draft, refused: refusedBefore, onSent }: ContactFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [{ failure, errors }, setRefused] = useState(refusedBefore ?? NO_FAILURE);

  useEffect(() => {
    // The page validates; without JavaScript the browser does.
    if (form.current) form.current.noValidate = true;
  }, []);

  const showFailure = (refused: MessageFailure) => {
    setRefused(refused);
    const first = MESSAGE_FIELDS.find((field) => refused.errors[field] !== undefined);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  const bind = (name: MessageField) => ({
    name,
    label: MESSAGE_LABELS[name],
    defaultValue: draft?.[name],
    required: true,
    message: errors[name],
    // Revalidates fields with an error on each change; other fields only on submit.
    onChange: () => {
      if (errors[name] === undefined || !form.current) return;
      const message = checkMessage(readDraft(new FormData(form.current)))[name];
      setRefused((old) => ({ ...old, errors: { ...old.errors, [name]: message } }));
    },
  });

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget);
    const written = readDraft(data);
    const wrong = checkMessage(written);
    if (MESSAGE_FIELDS.some((field) => wrong[field] !== undefined)) {
      showFailure({ failure: null, errors: wrong });
      return;
    }
    setIsBusy(true);
    setRefused(NO_FAILURE);
    try {
      await call('POST /contact', { body: { ...written, subject: readField(data, 'subject') } });
      onSent();
    } catch (error) {
      if (!isRefusal(error)) logError('Sending the message failed', error);
      showFailure(toFailure(error));
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <form ref={form} method="post" action="/contact" className={styles.form} onSubmit={(event) => void submit(event)}>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
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

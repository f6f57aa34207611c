import { useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { getMessageError, normaliseText } from '../check-ticket.ts';
import { LineArt } from '#src/ui/graphics/line-art.tsx';
import { TextArea } from '#src/ui/fields/text-area.tsx';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import styles from './send-form.module.css';

/** Changes the text in the form and moves the focus to it. */
export type ChangeText = (change: (old: string) => string) => void;

interface SendFormProps {
  /** Shows only what was typed and not sent. */
  readonly isClosed: boolean;
  readonly onSend: (text: string) => void;
  readonly onTyping: () => void;
  /** Tools above the text. */
  readonly renderTools?: ((changeText: ChangeText) => ReactNode) | undefined;
}

/** Enter sends and Shift+Enter starts a line; on touch devices Enter starts a line. */
export function SendForm({ isClosed, onSend, onTyping, renderTools }: SendFormProps) {
  const id = useId();
  const [text, setText] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  const isHydrated = useHydrated();
  const tooLong = getMessageError(text);

  const send = () => {
    if (normaliseText(text) === '' || tooLong !== null) return;
    onSend(normaliseText(text));
    setText('');
    input.current?.focus();
  };
  const changeText: ChangeText = (change) => {
    setText(change);
    document.getElementById(id)?.focus();
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isComposing = event.nativeEvent.isComposing;
    if (event.key !== 'Enter' || event.shiftKey || isComposing || matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    send();
  };
  if (isClosed) return normaliseText(text) === '' ? null : <UnsentText text={text} />;
  return (
    <form className={styles.form} onSubmit={submit}>
      {renderTools?.(changeText)}
      <div className={styles.row}>
        <label htmlFor={id} className="visually-hidden">
          Message
        </label>
        <textarea
          ref={input}
          id={id}
          rows={1}
          className={styles.input}
          placeholder="Write a message"
          value={text}
          aria-invalid={tooLong !== null || undefined}
          aria-describedby={tooLong === null ? undefined : `${id}-fault`}
          onChange={(event) => {
            setText(event.target.value);
            if (normaliseText(event.target.value) !== '') onTyping();
          }}
          onKeyDown={press}
        />
        <button type="submit" className={styles.send} aria-label="Send" disabled={!isHydrated}>
          <LineArt size={20}>
            <path d="M4 12 20 4.5 15.5 20l-4-6.5L4 12Zm7.5 1.5L20 4.5" />
          </LineArt>
        </button>
      </div>
      {tooLong !== null && (
        <p id={`${id}-fault`} className={styles.fault} role="alert">
          {tooLong}
        </p>
      )}
    </form>
  );
}

/** Text of a ticket that was closed before it was sent. */
const UnsentText = ({ text }: { readonly text: string }) => (
  <div className={styles.form}>
    <TextArea
      label="Your unsent message"
      hint="The ticket was closed before you sent it."
      value={text}
      rows={3}
      readOnly
    />
  </div>
);

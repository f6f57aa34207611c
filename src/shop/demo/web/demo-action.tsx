import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { isApiFailure } from '#src/storefront/api.ts';
import { reloadPage } from '#src/storefront/reload-page.ts';
import { loadOrder } from '#src/storefront/session/session.ts';
import { useHydrated } from '#src/ui/react/use-hydrated.ts';
import { Button } from '#src/ui/controls/button.tsx';
import { describeFailure } from '#src/storefront/forms/describe-failure.ts';
import { useCallForm } from '#src/storefront/forms/use-call-form.ts';
import styles from './demo-action.module.css';

interface DemoActionProps {
  readonly title: string;
  /** What the action simulates. */
  readonly about: string;
  /** Form fields. */
  readonly children: ReactNode;
  /**
   * Label of the button. With several buttons, the field `choice` has the value of the pressed one.
   */
  readonly buttons: readonly { readonly text: string; readonly value?: string }[];
  /** Runs the action and returns its result as text. */
  readonly onSubmit: (data: FormData) => Promise<string>;
}

/** A form for one demo action, with its result. */
export function DemoAction({ title, about, children, buttons, onSubmit }: DemoActionProps) {
  const titleId = useId();
  const isHydrated = useHydrated();
  const [result, setResult] = useState('');
  const { submit, isBusy, failure } = useCallForm({
    log: `${title}: failed`,
    read: (form, submitter) => new FormData(form, submitter),
    send: async (data) => {
      setResult('');
      setResult(await onSubmit(data));
      await Promise.all([reloadPage(), loadOrder()]);
    },
    describe: (error) => ({ text: describeError(error), problems: {} }),
  });

  return (
    <section className={styles.action} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <p className="muted small">{about}</p>
      <form className={styles.form} onSubmit={submit}>
        {children}
        <div className={styles.buttons}>
          {buttons.map(({ text, value }) => (
            <Button
              key={text}
              type="submit"
              variant="secondary"
              name="choice"
              value={value}
              isBusy={isBusy || !isHydrated}
            >
              {text}
            </Button>
          ))}
        </div>
      </form>
      <output className={styles.result} data-tone={failure === null ? 'good' : 'bad'}>
        {failure ?? result}
      </output>
    </section>
  );
}

function describeError(error: unknown): string {
  if (!isApiFailure(error)) return error instanceof Error ? error.message : 'The action failed.';
  const fields = Object.values(error.fields);
  if (error.status === 0) return describeFailure(error);
  if (error.status === 404) return 'There is no such order.';
  return fields.length > 0 ? `${error.message}: ${fields.join(', ')}.` : `${error.message}.`;
}

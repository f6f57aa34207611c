import type { ReactNode, SubmitEvent } from 'react';
import { useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { isApiFailure } from '#src/storefront/api.ts';
import { loadOrder } from '#src/storefront/session/session.ts';
import { useHydrated } from '#src/ui/use-hydrated.ts';
import { Button } from '#src/ui/button.tsx';
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

interface Outcome {
  readonly text: string;
  readonly isGood: boolean;
}

/** A form for one demo action, with its result. */
export function DemoAction({ title, about, children, buttons, onSubmit }: DemoActionProps) {
  const titleId = useId();
  const isAlive = useHydrated();
  const revalidator = useRevalidator();
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const data = new FormData(event.currentTarget, event.nativeEvent.submitter);
    setIsBusy(true);
    setOutcome(null);
    try {
      setOutcome({ text: await onSubmit(data), isGood: true });
      await Promise.all([revalidator.revalidate(), loadOrder()]);
    } catch (error) {
      setOutcome({ text: describeError(error), isGood: false });
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <section className={styles.deed} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <p className={styles.about}>{about}</p>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        {children}
        <div className={styles.buttons}>
          {buttons.map(({ text, value }) => (
            <Button
              key={text}
              type="submit"
              variant="secondary"
              name="choice"
              value={value}
              isBusy={isBusy || !isAlive}
            >
              {text}
            </Button>
          ))}
        </div>
      </form>
      <output className={styles.outcome} data-tone={outcome?.isGood === false ? 'bad' : 'good'}>
        {outcome?.text}
      </output>
    </section>
  );
}

function describeError(error: unknown): string {
  if (!isApiFailure(error)) return error instanceof Error ? error.message : 'That did not work.';
  const fields = Object.values(error.fields);
  if (error.status === 0) return 'The shop did not answer.';
  if (error.status === 404) return 'There is no such order.';
  return fields.length > 0 ? `${error.message}: ${fields.join(', ')}.` : `${error.message}.`;
}

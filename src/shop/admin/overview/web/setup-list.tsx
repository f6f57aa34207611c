import { ButtonLink } from '#src/ui/button.tsx';
import { Stack } from '#src/ui/stack.ts';
import { Icon } from '#src/ui/icons.tsx';
import { Grid } from '#src/ui/grid.ts';
import { SETUP_TEXTS } from '../../settings/setup-checklist.ts';
import type { SetupStepState } from '../../settings/contract.ts';
import styles from './setup-list.module.css';

/** The set-up checklist: what is done, and what is missing with the page to do it on. */
export function SetupList({ steps }: { readonly steps: readonly SetupStepState[] }) {
  const done = steps.filter((one) => one.is_done).length;
  const next = steps.find((one) => !one.is_done)?.step;
  return (
    <>
      <p className="muted">{`${done} of ${steps.length} done. This list disappears once all are done.`}</p>
      <Stack as="ol" gap={12}>
        {steps.map(({ step, is_done: isDone }) => {
          const { action, text, title } = SETUP_TEXTS[step];
          return (
            <Grid
              as="li"
              key={step}
              foldsAt={767}
              rowGap={12}
              align="center"
              surface="outlined-small"
              className={styles.step}
            >
              <span className={styles.mark} data-done={isDone || undefined}>
                {isDone && <Icon name="check" size={18} />}
              </span>
              <div>
                <h2 className="medium">
                  {title}
                  <span className="visually-hidden">{isDone ? ', done' : ', missing'}</span>
                </h2>
                {!isDone && <p className="muted">{text}</p>}
              </div>
              {!isDone && action !== null && (
                <ButtonLink to={action.to} variant={step === next ? 'primary' : 'secondary'}>
                  {action.text}
                </ButtonLink>
              )}
            </Grid>
          );
        })}
      </Stack>
    </>
  );
}
